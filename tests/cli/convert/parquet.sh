# A folder of tables: a file for each but that of texts, the same bytes each time; files in it are replaced only if -o names it.
cp "$TESTDATA/example/orders.folded" .
profkit convert orders.folded x.parquet/
ls x.parquet | tr '\n' ' '
head -c 4 x.parquet/run.parquet
tail -c 4 x.parquet/run.parquet
echo
status 2 profkit convert orders.folded x.parquet/
profkit convert orders.folded -o x.parquet/
profkit convert orders.folded y.parquet/
for file in x.parquet/*; do cmp "$file" "y.parquet/${file#*/}"; done
status 2 profkit convert --to folded orders.folded -o x.parquet/
status 2 profkit convert orders.folded no/such/x.parquet/
: > z.parquet
status 2 profkit convert orders.folded z.parquet/
profkit merge -o sum.parquet/ orders.folded orders.folded
ls sum.parquet | wc -l
status 2 profkit convert --to parquet orders.folded
profkit convert --to parquet orders.folded tables
profkit merge --to parquet -o tables/ orders.folded
cmp tables/function_total.parquet x.parquet/function_total.parquet
profkit export --format parquet orders.folded exported
diff -r tables exported
echo 'a file' >file
status 2 profkit convert --to parquet orders.folded file
status 2 profkit convert --to parquet orders.folded no/such/tables
status 2 profkit formats parquet
# A folder that was made for nothing does not stay.
echo 'no profile' >none
status 2 profkit convert none w.parquet/
PROFKIT_SANDBOX=no status 2 profkit convert none w.parquet/
mkdir mine.parquet
status 2 profkit convert none mine.parquet/
ls -d [mw]*.parquet
