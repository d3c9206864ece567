# Every format is listed once, with a letter for each part that it keeps.
profkit formats --format csv | head -n 1
profkit formats --format csv | grep -E ^folded,
profkit formats | grep -E '^(Format|folded)' | tr -s ' ' | cut -c 1-39
