import {isUtf8} from 'node:buffer';
import {type Advice, Failure} from '../../failure.ts';
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
 * Reads a configuration from a file, or from standard input for `-`. Fails with `input_missing` and
 * `input_malformed`.
 */
export async function readConfigurationFile(
	context: CommandContext,
	fileArgument: string,
): Promise<ManagedConfiguration> {
	const bytes = await readInputValue(context.resolve(fileArgument), context);
	const source = fileArgument === '-' ? 'Standard input' : `The file ${fileArgument}`;
	if (!isUtf8(bytes)) {
		throw new Failure('input_malformed', `${source} is not UTF-8 text.`, {
			next: buildAdvice`Save it as UTF-8, or write it again: \`${buildZoneCommand('migration config --output FILE')}\``,
		});
	}
	return parseConfiguration(bytes.toString('utf8'), source);
}

/**
 * Reads a configuration to send. Fails with `unreviewed`, before any call, unless `givenFingerprint` is the
 * fingerprint of this configuration, as its review printed it.
 */
export async function readReviewedConfiguration(
	context: CommandContext,
	fileArgument: string,
	givenFingerprint: string | undefined,
): Promise<ManagedConfiguration> {
	const configuration = await readConfigurationFile(context, fileArgument);
	if (givenFingerprint === undefined) {
		throw new Failure('unreviewed', '--fingerprint was not given; nothing was sent.', {
			next: buildAdvice`Review it with \`${buildZoneCommand('migration plan', fileArgument)}\`, which prints the fingerprint.`,
		});
	}
	requireMatchingFingerprint(
		givenFingerprint,
		computeFingerprint(configuration),
		fileArgument === '-' ? 'standard input' : `the file ${fileArgument}`,
		adviseReview(fileArgument),
	);
	return configuration;
}

/**
 * Fails with `unreviewed` unless `givenFingerprint` matches the actual one. `subject`: what the actual one
 * belongs to, for the message.
 */
export function requireMatchingFingerprint(
	givenFingerprint: string,
	actualFingerprint: string,
	subject: string,
	next: Advice = adviseReview(),
): void {
	if (matchesFingerprint(givenFingerprint, actualFingerprint)) return;
	const isTooShort = givenFingerprint.replaceAll(/[\s-]/g, '').length < 8;
	throw new Failure('unreviewed', `The fingerprint does not match ${subject}; nothing was sent.`, {
		why: isTooShort
			? `"${givenFingerprint}" has fewer than 8 digits.`
			: `The fingerprint is ${formatFingerprint(actualFingerprint)}; "${givenFingerprint}" was given.`,
		next,
	});
}

/** Says how to review the configuration of a file; without a file, of the service's proposal. */
const adviseReview = (...files: readonly string[]): Advice =>
	buildAdvice`Review the configuration with \`${buildZoneCommand('migration plan', ...files)}\`, and use the fingerprint it prints.`;
