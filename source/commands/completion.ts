import {Argument} from 'commander';
import {type Shell, shells} from '../completion/answer.ts';
import {scripts} from '../completion/scripts.ts';
import {defineCommand} from './shell/declare.ts';

/** `ledge completion bash|zsh|fish`: the script that teaches a shell to complete. */
export const completionCommand = defineCommand({
	usage: 'completion',
	summary: 'print the completion script for a shell',
	example: 'completion bash > ~/.local/share/bash-completion/completions/ledge',
	argument: () => new Argument('<shell>', 'which shell').choices(shells),
	isOffline: true,
	sampleArguments: 'bash',
	async run(context, _options, shell) {
		await context.output.writeText(scripts[shell as Shell]);
	},
});
