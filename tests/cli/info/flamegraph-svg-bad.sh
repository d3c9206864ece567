# Declarations, and what would be read as another encoding, are refused; many attributes and namespaces are not.
picture() {
	printf '<svg><g id="frames">\n<g><title>all (1 samples, 100%%)</title>'
	printf '<rect x="1" y="1" width="9" height="9"/></g>\n%s</g></svg>\n' "$1"
}
{ printf '<!DOCTYPE svg [<!ATTLIST b a CDATA "">]>\n'; picture; } >declared.svg
picture "<b $(printf 'a%d="" ' {1..1000})/><b c='$(printf = %.0s {1..1001})'/>" >most.svg
picture "<b $(printf 'a%d="" ' {1..1001})/>" >attributes.svg
picture "$(printf '<b xmlns:a%d="n">' {1..1001})$(printf '</b%.0s>' {1..1001})" >namespaces.svg
picture | iconv -t UTF-16LE >utf-16.svg
for i in declared most attributes namespaces utf-16; do
	profkit info -f flamegraph-svg $i.svg 2>&1 >info.txt && echo "$i: 0" || echo "$i: $?"
done
# What is plain text in XML stays as it is; elsewhere, an ampersand that begins no reference is one.
picture '<!-- a & b --><script><![CDATA[ a && b ]]></script><g><title>&lt;&#65;&#x42;&c;&#; (1 samples, 100%)</title>
<rect x="1" y="-8" width="9" height="9"/></g><!-- & not ended' >ampersands.svg
profkit convert -q --to folded ampersands.svg -
profkit info ampersands.svg 2>&1 >info.txt
