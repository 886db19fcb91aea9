import {formatInteger, formatQuantity} from '../../text/figures.ts';
import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {formatSkips, parseSkips} from '../configuration/exceptions.ts';
import type {ConfiguredRule} from '../configuration/rule-overrides.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {buildMarkdownSection, escapeMarkdown, formatMarkdownList, formatMarkdownTable} from './markdown.ts';

/** Builds the part about security events during validation; empty if the zone was not in validation. */
export function buildValidationPart(
	{validation, validatingSince}: MigrationRecord,
	{
		first,
		last,
	}: {readonly first: ManagedConfiguration | undefined; readonly last: ManagedConfiguration | undefined},
): string[] {
	const added = findAddedExceptions(first, last);
	if (!validation)
		return validatingSince === undefined
			? []
			: buildMarkdownSection(
					'What validation showed',
					'Security events of that time could not be read.',
					formatAddedExceptions(added),
				);
	const {since, until, isSampled, stopped, only, logged, candidates} = validation;
	const about = isSampled ? 'about ' : '';
	const buildVersionRow = (name: string, version: 'new' | 'previous') => [
		name,
		`${about}${formatInteger(stopped[version])}`,
		`${about}${formatInteger(only[version])}`,
		`${about}${formatInteger(logged[version])}`,
	];
	return buildMarkdownSection(
		'What validation showed',
		`Security events from ${formatEventTime(since)} to ${formatEventTime(until)}:`,
		formatMarkdownTable(
			['Version', 'Requests stopped', 'Stopped by it alone', 'Events only logged'],
			[buildVersionRow('New managed rules', 'new'), buildVersionRow('Previous managed rules', 'previous')],
		),
		'The new rules run first. What the previous ones would have made of the requests that the new ones stopped is an estimate, by path, from what they stopped before validation.',
		candidates.length > 0
			? `Candidates for exceptions when it was read last: ${formatQuantity(candidates.length, 'rule at a path', 'rules at a path')}.`
			: 'Candidates for exceptions when it was read last: none.',
		formatMarkdownTable(
			['Rule', 'Host', 'Path', 'Requests stopped', 'Addresses', 'Countries'],
			candidates.map(({rule, name, host, path, stopped: requests, addresses, countries}) => [
				name === '' ? rule : `${name} (${rule})`,
				host,
				path,
				`${about}${formatInteger(requests)}`,
				addresses === undefined ? 'could not be read' : formatInteger(addresses),
				countries === undefined ? 'could not be read' : formatInteger(countries),
			]),
		),
		formatAddedExceptions(added),
	);
}

/** Finds exceptions in the last configuration that the first one did not have. */
function findAddedExceptions(
	first: ManagedConfiguration | undefined,
	last: ManagedConfiguration | undefined,
): readonly ConfiguredRule[] | undefined {
	if (!first || !last) return undefined;
	const serializeSkip = ({action_parameters: skips, expression}: ConfiguredRule) =>
		JSON.stringify([skips, expression]);
	const before = new Set(first.rules.map(serializeSkip));
	return last.rules.filter(rule => rule.action === 'skip' && !before.has(serializeSkip(rule)));
}

function formatAddedExceptions(added: readonly ConfiguredRule[] | undefined): string {
	if (!added) return '';
	if (added.length === 0) return 'Exceptions made during validation: none.';
	const lines = added.map(rule => {
		const skips = parseSkips(rule);
		const what = skips ? formatSkips(skips) : 'managed rules';
		return `${escapeMarkdown(rule.expression)} skips ${escapeMarkdown(what)}${rule.description ? `: ${escapeMarkdown(rule.description)}` : ''}`;
	});
	return `Exceptions made during validation:\n\n${formatMarkdownList(lines)}`;
}

const formatEventTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
