# What the speed of the machine is taken out of: times and samples, but neither bytes nor exact counts, nor samples of waits.
stacks() { # FOLDER RUNS SPEED PARSE SLEEP SEED: by how much each stack grows, `parse`, and how long is slept
    mkdir $1
    awk -v folder=$1 -v runs=$2 -v speed=$3 -v parse=$4 -v asleep=$5 -v seed=$6 '
	function noise() { seed = seed * 16807 % 2147483647; return 1 + 0.02 * (seed / 2147483647 - 0.5) }
	BEGIN {
		n = split("load decode parse forward backward reduce save write", name, " ")
		for (r = 0; r < runs; r++) {
			file = folder "/" r ".folded"
			for (i = 1; i <= n; i++)
				printf "main;%s %d\n", name[i], i * 10000 * speed * noise() * (name[i] == "parse" ? parse : 1) >file
			if (asleep)
				printf "main;wait;do_nanosleep_[k] %d\n", 900000 * asleep * noise() >file
		}
	}'
}
stacks base 6 1 1 0 1
stacks more 6 1.3 1 0 2
stacks parse 6 1.3 1.5 0 3
checked() { # OPTION... FILE...
    profkit check -q $(printf -- '-b %s ' base/*) "$@" --fail 'self(load)>5%' --fail 'self(parse)>5%' --fail 'total>5%' --format csv |
        cut -d, -f 1-3,6,11- || echo "status $?"
}
for folder in more parse; do
    echo "== $folder, samples"; checked $folder/*
    echo "== $folder, bytes"; checked -O unit=bytes $folder/*
done
profkit check -O unit=bytes -q $(printf -- '-b %s ' base/*) base/* | head -n 4
profkit diff -O unit=bytes --machine base/0.folded more/0.folded | head -n 3
echo "== instructions that differ between runs"
for folder in base more; do
    for file in $folder/*; do
        { echo "events: Ir"; sed 's/main;\(.*\) \(.*\)/fn=\1\n1 \2/' $file; } >$file.out
    done
done
profkit check -q $(printf -- '-b %s ' base/*.out) more/*.out --fail 'self(load)>5%' | tail -n +4 || echo "status $?"
echo "== samples of waits"
rm -r base more parse
stacks base 6 1 1 1 1
stacks same 6 0.7 1 1 2
stacks longer 6 0.7 1 1.5 3
stacks parse 6 0.7 1.5 1 4
for folder in same longer; do
    profkit check -q $(printf -- '-b %s ' base/*) $folder/* --fail 'total(main)>5%' --fail 'self(re:sleep)>5%' | tail -n +4 || echo "status $?"
done
echo "== that the whole became faster with the machine does not outweigh a function that became slower"
profkit check -q $(printf -- '-b %s ' base/*) parse/* | tail -n +4 || echo "status $?"
echo "== instructions and cycles that are sampled: 30% more of all, which is the speed of the machine for cycles alone"
rm -r base same longer parse
stacks base 6 1 1 0 1
stacks more 6 1.3 1 0 2
for event in instructions:u cycles:u cpu_core/cycles/; do
    for file in base/?.folded more/?.folded; do
        awk -v event=$event -F'[; ]' '{
            for (i = 0; i < $3 / 250; i++)
                printf "work 1 [000] %d.%06d: %d %s:\n\t1 %s (/work)\n\t2 main (/work)\n\n", NR, i, 250, event, $2
        }' $file >$file.perf
    done
    profkit check -q $(printf -- '-b %s ' base/*.perf) more/*.perf --fail 'self(load)>5%' --format csv | cut -d, -f 1-3,6,11- || echo "status $?"
    profkit diff -q --machine base/0.folded.perf more/0.folded.perf | sed -n 1,3p
done
