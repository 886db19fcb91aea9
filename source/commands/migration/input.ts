import {isUtf8} from 'node:buffer';
import {Failure} from '../../failure.ts';
import {
	type Configuration,
	fingerprint,
	isFingerprint,
	parseConfiguration,
	shownFingerprint,
} from '../../migration/configuration/configuration.ts';
import {advice, inZone} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {readValue} from '../shell/input.ts';

/**
 * Reads the configuration of a file, or for `-` of standard input. Fails with `input_missing` and
 * `input_malformed`.
 */
export async function configurationIn(context: CommandContext, word: string): Promise<Configuration> {
	const bytes = await readValue(context.resolve(word), context);
	const from = word === '-' ? 'Standard input' : `The file ${word}`;
	if (!isUtf8(bytes)) {
		throw new Failure('input_malformed', `${from} is not UTF-8 text.`, {
			next: advice`Save it as UTF-8, or have it written again: \`${inZone('migration config --output FILE')}\``,
		});
	}
	return parseConfiguration(bytes.toString('utf8'), from);
}

/**
 * Reads a configuration to send. Fails with `unreviewed`, before any call, unless `givenDigits` is the
 * fingerprint that its review printed.
 */
export async function reviewedIn(
	context: CommandContext,
	word: string,
	given: string | undefined,
): Promise<Configuration> {
	const configuration = await configurationIn(context, word);
	if (given === undefined) {
		throw new Failure('unreviewed', 'Which configuration was reviewed was not said; nothing was sent.', {
			next: advice`Review it with \`${inZone('migration plan', word)}\`: that prints the fingerprint for --fingerprint.`,
		});
	}
	refuseOther(
		given,
		fingerprint(configuration),
		word === '-' ? 'what standard input holds' : `the file ${word}`,
		word,
	);
	return configuration;
}

/**
 * Fails with `unreviewed` unless the given digits match the fingerprint. `file`: source of the plan, if not
 * the proposal.
 */
export function refuseOther(given: string, digits: string, what: string, file?: string): void {
	if (isFingerprint(given, digits)) return;
	const short = given.replaceAll(/[\s-]/g, '').length < 8;
	throw new Failure('unreviewed', `The fingerprint given is not that of ${what}; nothing was sent.`, {
		why: short
			? `"${given}" has fewer than 8 digits.`
			: `It is ${shownFingerprint(digits)}; "${given}" was given.`,
		next: advice`Review what is to be sent with \`${inZone('migration plan', ...(file === undefined ? [] : [file]))}\`, and give the fingerprint that it prints.`,
	});
}
