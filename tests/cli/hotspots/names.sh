# What a terminal or a spreadsheet would act on.
printf "a;\033[31m=cmd 3\na;=1+1 4\na;<b>|\`x\` 5\n" >names.folded
profkit hotspots names.folded
profkit hotspots --format csv --csv-excel names.folded | cut -d, -f1
profkit hotspots --format markdown names.folded | tail -n +3
