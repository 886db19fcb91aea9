import {Argument, type Command} from 'commander';
import {createProgram} from './program.ts';
import {declareCommand} from './shell/declare.ts';

type Shell = 'bash' | 'zsh' | 'fish';

/** `ledge completion bash|zsh|fish`: a script made from the declared commands. */
export function declareCompletionCommand(program: Command): void {
	const command = declareCommand(program, {
		usage: 'completion',
		summary: 'print completion for a shell',
		example: 'completion bash > ~/.local/share/bash-completion/completions/ledge',
		async run(context, _options, shell) {
			const tree = wordsOf((await createProgram()).program);
			await context.output.text(scripts[shell as Shell](tree));
		},
	});
	command.addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish']));
}

/** What can follow each chain of words: "kv key" → its commands and options. */
type WordTree = ReadonlyMap<string, readonly {readonly word: string; readonly summary: string}[]>;

function wordsOf(program: Command): WordTree {
	const tree = new Map<string, {word: string; summary: string}[]>();
	const visit = (command: Command, chain: string) => {
		tree.set(chain, [
			...command.commands.map(one => ({word: one.name(), summary: one.description()})),
			...command.options
				.filter(option => !option.hidden && option.long)
				.map(option => ({word: option.long ?? '', summary: option.description})),
		]);
		for (const one of command.commands) visit(one, `${chain} ${one.name()}`.trim());
	};
	visit(program, '');
	return tree;
}

const scripts: Readonly<Record<Shell, (tree: WordTree) => string>> = {
	bash: tree => `# ledge completion for bash
_ledge() {
	local word chain="" i
	for ((i = 1; i < COMP_CWORD; i++)); do
		word="\${COMP_WORDS[i]}"
		case "\${chain:+$chain }$word" in
${[...tree.keys()]
	.filter(Boolean)
	.map(chain => `\t\t${quoted(chain)}) chain=${quoted(chain)} ;;`)
	.join('\n')}
		esac
	done
	case "$chain" in
${[...tree].map(([chain, next]) => `\t\t${quoted(chain)}) COMPREPLY=($(compgen -W ${quoted(next.map(one => one.word).join(' '))} -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`).join('\n')}
	esac
}
complete -o default -F _ledge ledge
`,
	zsh: tree => `#compdef ledge
_ledge() {
	local word chain="" i
	local -a next
	for ((i = 2; i < CURRENT; i++)); do
		word="\${words[i]}"
		case "\${chain:+$chain }$word" in
${[...tree.keys()]
	.filter(Boolean)
	.map(chain => `\t\t(${quoted(chain)}) chain=${quoted(chain)} ;;`)
	.join('\n')}
		esac
	done
	case "$chain" in
${[...tree].map(([chain, next]) => `\t\t(${quoted(chain)}) next=(${next.map(one => quoted(`${one.word}:${one.summary.replaceAll(':', ' ')}`)).join(' ')}) ;;`).join('\n')}
	esac
	_describe 'ledge' next || _files
}
compdef _ledge ledge
`,
	fish: tree => `# ledge completion for fish
function __ledge_chain
	set -l chain ""
	for word in (commandline -opc)[2..]
		switch (string trim "$chain $word")
${[...tree.keys()]
	.filter(Boolean)
	.map(chain => `\t\t\tcase ${quoted(chain)}\n\t\t\t\tset chain ${quoted(chain)}`)
	.join('\n')}
		end
	end
	echo $chain
end
${[...tree]
	.flatMap(([chain, next]) =>
		next.map(({word, summary}) => {
			const given = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
			return `complete -c ledge -n ${quoted(`test (__ledge_chain) = ${quoted(chain)}`)} ${given} -d ${quoted(summary)}`;
		}),
	)
	.join('\n')}
`,
};

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
