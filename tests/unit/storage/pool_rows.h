// Rows of a pool as values.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "storage/table/row_pool.h"

namespace spillway {

using PoolRow = std::vector<Word>;

inline std::uint64_t append(RowPool::Writer& writer, const PoolRow& row) {
  EXPECT_TRUE(writer.ready());
  return writer.append(row.data());
}

inline std::vector<PoolRow> rows_of(const RowPool& pool,
                                    const std::vector<RowPool::Segment>& segments) {
  std::vector<PoolRow> rows;
  for (const RowPool::Segment segment : segments)
    for (const State row : pool.rows(segment)) rows.emplace_back(row.begin(), row.end());
  return rows;
}

}  // namespace spillway
