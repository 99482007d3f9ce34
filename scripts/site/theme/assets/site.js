// Wide tables scroll inside of a box that the theme makes; keys should scroll it, too.
addEventListener("load", () => {
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap")) box.tabIndex = 0;
});
