# A source is read only below the current folder and those of --source, and only if it is a regular file.
mkdir -p here secret
printf 'secret\nsecret\n' >secret/a.py
mkfifo here/b.py
ln -s ../secret/a.py here/c.py
cd here || exit
printf '%s\n' "f ($PWD/../secret/a.py:1) 1" 'g (../secret/a.py:2) 1' 'h (b.py:1) 1' 'i (c.py:1) 1' 'j (/dev/zero:1) 1' \
	'k (/proc/self/environ:1) 1' 'l (/etc/passwd:1) 1' >stacks.txt
profkit lines -f py-spy -n 0 --format csv stacks.txt | cut -d, -f1,4,12
profkit lines -f py-spy -n 0 --source ../secret --format csv stacks.txt | cut -d, -f1,4,12
