# bash completion for profkit
_profkit() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local kind= words= options= operands=
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    compopt -o filenames 2>/dev/null
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -f -W '@NAMES@--help --version' -- "$cur"))
        return
    fi
    case ${COMP_WORDS[1]} in
@COMMANDS@    esac
    if [[ $kind == words ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
    elif [[ $kind == text ]]; then
        COMPREPLY=()
    elif [[ $kind != file && $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$cur"))
    elif [[ $kind != file && -n $operands ]]; then
        COMPREPLY=($(compgen -W "$operands" -- "$cur"))
    else
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}
complete -F _profkit profkit
