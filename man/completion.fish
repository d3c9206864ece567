# fish completion for profkit
complete -c profkit -l help -d 'print a summary of the options'
complete -c profkit -n __fish_use_subcommand -l version -d 'print the version'
@COMMANDS@