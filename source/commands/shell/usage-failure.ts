import type {CommanderError} from 'commander';
import {Failure} from '../../failure.ts';

/**
 * Converts a commander error to a usage failure; undefined if commander only showed help or the version.
 * Arguments that could be the value of a key (one with a leading dash, an extra one) are not repeated.
 * `calledCommand` is the command with its groups.
 */
export function toUsageFailure(error: CommanderError, calledCommand: string): Failure | undefined {
	if (error.exitCode === 0 || error.code === 'commander.help') return undefined;
	const [firstLine = '', ...moreLines] = error.message.replace(/^error: /, '').split('\n');
	const suggestion = moreLines
		.join(' ')
		.trim()
		.replace(/^\(|\)$/g, '');
	const sentence = hideValues(error.code, firstLine.charAt(0).toUpperCase() + firstLine.slice(1));
	return new Failure('usage', /[.?!]$/.test(sentence) ? sentence : `${sentence}.`, {
		next: suggestion || `See \`${calledCommand} --help\`${getNextStep(error.code, sentence)}`,
	});
}

const nextSteps: Readonly<Record<string, string>> = {
	'commander.unknownOption': ' for the options; put a key or value that begins with a dash after --.',
	'commander.excessArguments': '; put a value with spaces in quotes.',
};

/** Users often pass a namespace or zone as an argument to a command that takes none. */
function getNextStep(code: string, sentence: string): string {
	if (code === 'commander.excessArguments' && sentence.includes('Expected 0 arguments'))
		return '; specify namespaces and zones with --namespace and --zone.';
	return nextSteps[code] ?? ' for usage.';
}

function hideValues(code: string, sentence: string): string {
	if (code === 'commander.excessArguments') return sentence.replace(/: .*$/s, '');
	if (code !== 'commander.unknownOption') return sentence;
	return sentence.replace(/'(--?[\w-]{0,30}).*'/s, (_whole, name: string) => `'${name}'`);
}
