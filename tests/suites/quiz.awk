function end() { if (n && (!options || !answer || !why)) bad("question " n " lacks " (!options ? "options" : !answer ? "its Answer" : "its Why")) }
function bad(what) { print FILENAME ": " what; failed = 1 }
/^## / { end(); n++; options = answer = why = 0; if ($2 != n) bad("question " $2 " stands where " n " should") }
/^- [a-z]\) / { if (substr($0, 3, 1) != substr("abcdefgh", ++options, 1)) bad("question " n ": option " substr($0, 3, 1) " is out of order") }
/^Answer: / { answer++; if (!index(substr("abcdefgh", 1, options), $2)) bad("question " n ": there is no option " $2) }
/^Why: ./ { why++ }
END { end(); exit failed }
