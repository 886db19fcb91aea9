import type {Shell} from './answer.ts';

/**
 * Completion scripts by shell. They contain no commands: they ask the program (`answer.ts`). The first line
 * of the answer is its kind (`open`: no space follows the word); they treat the other lines as text.
 */
export const scripts: Readonly<Record<Shell, string>> = {
	bash: `# ledge completion for bash
_ledge() {
	local kind="" value
	COMPREPLY=()
	{
		IFS= read -r kind
		while IFS= read -r value; do COMPREPLY+=("$value"); done
	} < <(ledge __complete bash "$COMP_TYPE" "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
	case "$kind" in
		open) compopt -o nospace ;;
		files) compopt -o default ;;
		folders) compopt -o dirnames ;;
	esac 2>/dev/null
}
complete -F _ledge ledge
`,
	zsh: `#compdef ledge
_ledge() {
	local -a answer values shown
	local line kind
	answer=("\${(@f)$(ledge __complete zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
	kind=$answer[1]
	case $kind in
		files|folders)
			compset -P '--*='
			if [[ $kind == folders ]]; then _files -/; else _files; fi
			return
			;;
	esac
	for line in "\${(@)answer[2,-1]}"; do
		values+=("\${line%%$'\\t'*}")
		if [[ $line == *$'\\t'* ]]; then
			shown+=("\${line%%$'\\t'*}  -- \${line#*$'\\t'}")
		else
			shown+=("$line")
		fi
	done
	(( \${#values} )) || return 1
	if [[ $kind == open ]]; then
		compadd -S '' -l -V ledge -d shown -a values
	else
		compadd -l -V ledge -d shown -a values
	fi
}
if [[ \${funcstack[1]} == _ledge ]]; then
	_ledge "$@"
else
	compdef _ledge ledge
fi
`,
	fish: `# ledge completion for fish
function __ledge_complete
	set -l words (commandline -xpc 2>/dev/null; or commandline -opc)
	set -l now (commandline -ct)
	set -l answer (ledge __complete fish $words[2..] "$now" 2>/dev/null)
	switch "$answer[1]"
		case files folders
			set -l before (string match -r -- '^--[^=]*=' "$now"; or echo)
			set -l path (string replace -r -- '^--[^=]*=' '' "$now" | string replace -r -- '^["\\']' '')
			if test "$answer[1]" = folders
				printf '%s\\n' "$before"(__fish_complete_directories "$path")
			else
				printf '%s\\n' "$before"(__fish_complete_path "$path")
			end
		case '*'
			printf '%s\\n' $answer[2..]
	end
end
complete -c ledge -f -k -a '(__ledge_complete)'
`,
};
