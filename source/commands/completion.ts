import {Argument, type Command} from 'commander';
import {type Shell, shells} from '../completion/answer.ts';
import {scripts} from '../completion/scripts.ts';
import {declareCommand} from './shell/declare.ts';

/** `ledge completion bash|zsh|fish`: the script that teaches a shell to complete. */
export function declareCompletionCommand(program: Command): void {
	const command = declareCommand(program, {
		usage: 'completion',
		summary: 'print completion for a shell',
		example: 'completion bash > ~/.local/share/bash-completion/completions/ledge',
		isOffline: true,
		sample: 'bash',
		async run(context, _options, shell) {
			await context.output.text(scripts[shell as Shell]);
		},
	});
	command.addArgument(new Argument('<shell>', 'which shell').choices(shells));
}
