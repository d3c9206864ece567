# Makes C string literals of the lines of a script or style sheet, without
# indentation, empty lines and lines that are comments.
s/^[[:space:]]*//
/^\/\//d
/^$/d
s/[\\"]/\\&/g
s/.*/"&\\n"/
