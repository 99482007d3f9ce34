-- How checkpoints are made (src/check/journal.h), on a disk that can lose its power at any time.
--
-- Checkpoint g has one new file of the log and a manifest, which speaks of it and of the files of the checkpoint before.  What is done to a file or
-- to the directory is in the memory of the system at first; a loss of power takes any part of it, in any order.  Then
-- the newest manifest that is whole counts, if the files that it speaks of are there: that one must not be older than
-- the last checkpoint whose protocol came to its end.
--
-- The file that says which checkpoint is the newest is not in it: it is changed after the last sync, and only tells that
-- a manifest is missing, never which one counts.
--
-- BUG leaves a step out, or takes it too early, and each but the second must be found: the sync of the directory after the
-- rename does for both names, so without the first one a new manifest may only be passed over, which loses nothing that counts.
--   1 the file is not synced              4 the directory is not synced after the rename
--   2 the directory is not synced after   5 the manifest before is removed before the new one has its name
--   3 the manifest is not synced
--
-- expect: verified
-- expect(BUG=1): violated "the newest whole checkpoint is not older than the last that was finished"
-- expect(BUG=2): verified
-- expect(BUG=3): violated "the newest whole checkpoint is not older than the last that was finished"
-- expect(BUG=4): violated "the newest whole checkpoint is not older than the last that was finished"
-- expect(BUG=5): violated "the newest whole checkpoint is not older than the last that was finished"

const
  CHECKPOINTS: 4;
  BUG: 0;

type
  generation: 1 .. CHECKPOINTS;
  -- what is there: nothing, something that a loss of power may take, or for certain; `going`: for certain, but a loss of
  -- power may also find it removed
  presence: enum { nothing, perhaps, certain, going };
  step: enum { file_made, file_synced, named_file, manifest_made, manifest_synced, renamed, done };

var
  file: array [generation] of presence;           -- contents of the file of the log
  file_name: array [generation] of presence;      -- its entry in the directory
  manifest: array [generation] of presence;       -- contents
  manifest_name: array [generation] of presence;  -- its entry, under the name that counts
  speaks: array [generation] of array [generation] of boolean;  -- which files a manifest speaks of
  next: 0 .. CHECKPOINTS + 1;      -- checkpoint that is being made
  at: step;                        -- that comes next
  committed: 0 .. CHECKPOINTS;     -- the newest whose protocol came to its end
  dark: boolean;                   -- the power has gone

function whole(g: generation): boolean;
begin
  return manifest_name[g] = certain & manifest[g] = certain & forall f: generation do speaks[g][f] -> file[f] = certain & file_name[f] = certain end;
end;

procedure sync_directory();
begin
  for g: generation do
    if file_name[g] = perhaps then file_name[g] := certain end;
    if file_name[g] = going then file_name[g] := nothing end;
    if manifest_name[g] = perhaps then manifest_name[g] := certain end;
    if manifest_name[g] = going then manifest_name[g] := nothing end;
  end;
end;

startstate "an empty directory"
begin
  for g: generation do
    file[g] := nothing; file_name[g] := nothing; manifest[g] := nothing; manifest_name[g] := nothing;
    for f: generation do speaks[g][f] := false end;
  end;
  next := 1; at := file_made; committed := 0; dark := false;
end;

rule "write the file" !dark & next <= CHECKPOINTS & at = file_made ==>
begin
  file[next] := perhaps; file_name[next] := perhaps; at := file_synced;
end;

rule "sync the file" !dark & next <= CHECKPOINTS & at = file_synced ==>
begin
  if BUG != 1 then file[next] := certain end;
  at := named_file;
end;

rule "sync the directory" !dark & next <= CHECKPOINTS & at = named_file ==>
begin
  if BUG != 2 then sync_directory() end;
  at := manifest_made;
end;

rule "write the manifest under another name" !dark & next <= CHECKPOINTS & at = manifest_made ==>
begin
  manifest[next] := perhaps; at := manifest_synced;
  for f: generation do speaks[next][f] := f = next | (committed > 0 & speaks[committed][f]) end;
end;

rule "sync the manifest" !dark & next <= CHECKPOINTS & at = manifest_synced ==>
begin
  if BUG != 3 then manifest[next] := certain end;
  if BUG = 5 & committed > 0 then manifest_name[committed] := going end;
  at := renamed;
end;

rule "rename it" !dark & next <= CHECKPOINTS & at = renamed ==>
begin
  manifest_name[next] := perhaps; at := done;
end;

-- The last sync, after which the checkpoint counts and older manifests are removed.
rule "sync the directory again, and remove what is older" !dark & next <= CHECKPOINTS & at = done ==>
begin
  if BUG != 4 then sync_directory() end;
  for g: generation do
    if g != next & g != committed & manifest_name[g] = certain then manifest_name[g] := going end;
  end;
  committed := next;
  next := next + 1;
  at := file_made;
end;

rule "the power goes" !dark ==>
begin
  dark := true;
end;

-- While it is dark, each thing that is not certain stays or goes.
ruleset g: generation; stays: boolean do
  rule "a file" dark & file[g] = perhaps ==>
  begin
    if stays then file[g] := certain else file[g] := nothing end;
  end;
  rule "the name of a file" dark & (file_name[g] = perhaps | file_name[g] = going) ==>
  begin
    if stays then file_name[g] := certain else file_name[g] := nothing end;
  end;
  rule "a manifest" dark & manifest[g] = perhaps ==>
  begin
    if stays then manifest[g] := certain else manifest[g] := nothing end;
  end;
  rule "the name of a manifest" dark & (manifest_name[g] = perhaps | manifest_name[g] = going) ==>
  begin
    if stays then manifest_name[g] := certain else manifest_name[g] := nothing end;
  end;
end;

function settled(): boolean;
begin
  return forall g: generation do
    (file[g] = certain | file[g] = nothing) & (file_name[g] = certain | file_name[g] = nothing) &
    (manifest[g] = certain | manifest[g] = nothing) & (manifest_name[g] = certain | manifest_name[g] = nothing)
  end;
end;

-- Whoever goes on takes the newest that is whole, and begins a checkpoint with a number that was never used.
rule "the power comes back" dark & settled() ==>
begin
  dark := false;
  for g: generation do
    if whole(g) then committed := g end;
  end;
  if next <= CHECKPOINTS & at != file_made then next := next + 1 end;
  at := file_made;
end;

invariant "the newest whole checkpoint is not older than the last that was finished"
  dark & settled() & committed > 0 -> exists g: generation do g >= committed & whole(g) end;
