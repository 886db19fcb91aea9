import {Failure, type NamedCommand} from '../failure.ts';
import {maxExpressionLength, measureExpression} from '../firewall/expression/expressions.ts';
import {buildAdvice, buildCommand, buildZoneCommand, joinAdviceLines} from '../text/advice.ts';
import {formatInteger, formatQuantity} from '../text/figures.ts';
import {parseListAddress} from './addresses.ts';

/** Name of the list that messages suggest. */
const suggestedListName = 'emergency_block';

/** True if targets do not fit in one expression, but all are addresses that a list of the account can hold. */
export const needsAddressList = (targets: readonly string[], expression: string): boolean =>
	measureExpression(expression).verdict === 'too long' &&
	targets.every(target => 'address' in parseListAddress(target));

/**
 * Creates the failure for such targets, which names the commands that block them by a list. `file`: the file
 * that has all of them, if they come from one. `settings`: options of the rule.
 */
export function createAddressListFailure(
	targets: readonly string[],
	expression: string,
	{file, settings}: {readonly file: string | undefined; readonly settings: readonly string[]},
): Failure {
	const addCommand: NamedCommand = buildCommand(
		'lists',
		'add',
		suggestedListName,
		'--file',
		file ?? 'addresses.txt',
	);
	const blockCommand = buildZoneCommand(
		'firewall',
		'emergency',
		'--expression',
		`ip.src in $${suggestedListName}`,
		...settings,
	);
	return new Failure(
		'limit',
		`${formatQuantity(targets.length, 'address', 'addresses')} do not fit in one expression; a list holds them.`,
		{
			why: `An expression has at most ${formatInteger(maxExpressionLength)} characters; this one has ${formatInteger(measureExpression(expression).characters)}.`,
			left: 'Nothing was sent.',
			next: joinAdviceLines(
				buildAdvice`Create a list: \`${buildCommand('lists', 'create', suggestedListName)}\``,
				file === undefined
					? buildAdvice`Write the addresses to a file, and add them: \`${addCommand}\``
					: buildAdvice`Add the addresses: \`${addCommand}\``,
				buildAdvice`Block the list: \`${blockCommand}\``,
			),
		},
	);
}
