import {isUtf8} from 'node:buffer';
import {Failure} from '../../failure.ts';
import {
	computeFingerprint,
	formatFingerprint,
	type ManagedConfiguration,
	matchesFingerprint,
	parseConfiguration,
} from '../../migration/configuration/configuration.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {readInputValue} from '../shell/input.ts';

/**
 * Reads the configuration of a file, or for `-` of standard input. Fails with `input_missing` and
 * `input_malformed`.
 */
export async function readConfigurationFile(
	context: CommandContext,
	word: string,
): Promise<ManagedConfiguration> {
	const bytes = await readInputValue(context.resolve(word), context);
	const from = word === '-' ? 'Standard input' : `The file ${word}`;
	if (!isUtf8(bytes)) {
		throw new Failure('input_malformed', `${from} is not UTF-8 text.`, {
			next: buildAdvice`Save it as UTF-8, or have it written again: \`${buildZoneCommand('migration config --output FILE')}\``,
		});
	}
	return parseConfiguration(bytes.toString('utf8'), from);
}

/**
 * Reads a configuration to send. Fails with `unreviewed`, before any call, unless `givenDigits` is the
 * fingerprint that its review printed.
 */
export async function readReviewedConfiguration(
	context: CommandContext,
	word: string,
	givenDigits: string | undefined,
): Promise<ManagedConfiguration> {
	const configuration = await readConfigurationFile(context, word);
	if (givenDigits === undefined) {
		throw new Failure('unreviewed', 'Which configuration was reviewed was not said; nothing was sent.', {
			next: buildAdvice`Review it with \`${buildZoneCommand('migration plan', word)}\`: that prints the fingerprint for --fingerprint.`,
		});
	}
	refuseOtherFingerprint(
		givenDigits,
		computeFingerprint(configuration),
		word === '-' ? 'what standard input holds' : `the file ${word}`,
		word,
	);
	return configuration;
}

/**
 * Fails with `unreviewed` unless the given digits match the fingerprint. `file`: source of the plan, if not
 * the proposal.
 */
export function refuseOtherFingerprint(
	givenDigits: string,
	digits: string,
	what: string,
	file?: string,
): void {
	if (matchesFingerprint(givenDigits, digits)) return;
	const short = givenDigits.replaceAll(/[\s-]/g, '').length < 8;
	throw new Failure('unreviewed', `The fingerprint given is not that of ${what}; nothing was sent.`, {
		why: short
			? `"${givenDigits}" has fewer than 8 digits.`
			: `It is ${formatFingerprint(digits)}; "${givenDigits}" was given.`,
		next: buildAdvice`Review what is to be sent with \`${buildZoneCommand('migration plan', ...(file === undefined ? [] : [file]))}\`, and give the fingerprint that it prints.`,
	});
}
