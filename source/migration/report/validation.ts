import {counted, grouped} from '../../text/figures.ts';
import type {Configuration} from '../configuration/configuration.ts';
import {readSkips, skipsInWords} from '../configuration/exceptions.ts';
import type {ConfiguredRule} from '../configuration/rule-overrides.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {inline, list, part, table} from './markdown.ts';

/** Builds the part about security events during validation; empty if the zone was not in validation. */
export function validationPart(
	{validation, validatingSince}: MigrationRecord,
	{first, last}: {readonly first: Configuration | undefined; readonly last: Configuration | undefined},
): string[] {
	const made = exceptionsMade(first, last);
	if (!validation)
		return validatingSince === undefined
			? []
			: part('What validation showed', 'Security events of that time could not be read.', madeList(made));
	const {since, until, isSampled, stopped, only, logged, candidates} = validation;
	const about = isSampled ? 'about ' : '';
	const row = (name: string, version: 'new' | 'previous') => [
		name,
		`${about}${grouped(stopped[version])}`,
		`${about}${grouped(only[version])}`,
		`${about}${grouped(logged[version])}`,
	];
	return part(
		'What validation showed',
		`Security events from ${time(since)} to ${time(until)}:`,
		table(
			['Version', 'Requests stopped', 'Stopped by it alone', 'Events only logged'],
			[row('New managed rules', 'new'), row('Previous managed rules', 'previous')],
		),
		'The new rules run first. What the previous ones would have made of the requests that the new ones stopped is an estimate, by path, from what they stopped before validation.',
		candidates.length > 0
			? `Candidates for exceptions when it was read last: ${counted(candidates.length, 'rule at a path', 'rules at a path')}.`
			: 'Candidates for exceptions when it was read last: none.',
		table(
			['Rule', 'Host', 'Path', 'Requests stopped', 'Addresses', 'Countries'],
			candidates.map(({rule, name, host, path, stopped: requests, addresses, countries}) => [
				name === '' ? rule : `${name} (${rule})`,
				host,
				path,
				`${about}${grouped(requests)}`,
				addresses === undefined ? 'could not be read' : grouped(addresses),
				countries === undefined ? 'could not be read' : grouped(countries),
			]),
		),
		madeList(made),
	);
}

/** Finds exceptions in the last configuration that the first one did not have. */
function exceptionsMade(
	first: Configuration | undefined,
	last: Configuration | undefined,
): readonly ConfiguredRule[] | undefined {
	if (!first || !last) return undefined;
	const named = ({action_parameters: skips, expression}: ConfiguredRule) =>
		JSON.stringify([skips, expression]);
	const before = new Set(first.rules.map(named));
	return last.rules.filter(rule => rule.action === 'skip' && !before.has(named(rule)));
}

function madeList(made: readonly ConfiguredRule[] | undefined): string {
	if (!made) return '';
	if (made.length === 0) return 'Exceptions made during validation: none.';
	const lines = made.map(rule => {
		const skips = readSkips(rule);
		const what = skips ? skipsInWords(skips) : 'managed rules';
		return `${inline(rule.expression)} skips ${inline(what)}${rule.description ? `: ${inline(rule.description)}` : ''}`;
	});
	return `Exceptions made during validation:\n\n${list(lines)}`;
}

const time = (milliseconds: number): string => new Date(milliseconds).toISOString();
