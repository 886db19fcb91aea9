import {formatInteger, formatQuantity} from '../../text/figures.ts';
import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {formatSkips, parseSkips} from '../configuration/exceptions.ts';
import type {ConfiguredRule} from '../configuration/rule-overrides.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {buildMarkdownSection, escapeMarkdown, formatMarkdownList, formatMarkdownTable} from './markdown.ts';

/** Builds the part about security events during validation. It is empty if the zone was not in validation. */
export function buildValidationPart(
	{validation, validatingSince}: MigrationRecord,
	{
		first,
		last,
	}: {readonly first: ManagedConfiguration | undefined; readonly last: ManagedConfiguration | undefined},
): string[] {
	const addedExceptions = findAddedExceptions(first, last);
	if (!validation)
		return validatingSince === undefined
			? []
			: buildMarkdownSection(
					'What validation showed',
					'Security events from that time could not be read.',
					formatAddedExceptions(addedExceptions),
				);
	const {since, until, isSampled, stopped, only: stoppedAlone, logged, candidates} = validation;
	const qualifier = isSampled ? 'about ' : '';
	const buildVersionRow = (name: string, version: 'new' | 'previous') => [
		name,
		`${qualifier}${formatInteger(stopped[version])}`,
		`${qualifier}${formatInteger(stoppedAlone[version])}`,
		`${qualifier}${formatInteger(logged[version])}`,
	];
	return buildMarkdownSection(
		'What validation showed',
		`Security events from ${formatEventTime(since)} to ${formatEventTime(until)}:`,
		formatMarkdownTable(
			['Version', 'Requests stopped', 'Stopped only by it', 'Events only logged'],
			[buildVersionRow('New managed rules', 'new'), buildVersionRow('Previous managed rules', 'previous')],
		),
		'The new rules run first. What the previous ones would have done with the requests that the new ones stopped is estimated by path, from what they stopped before validation.',
		candidates.length > 0
			? `Candidates for exceptions at the last reading: ${formatQuantity(candidates.length, 'rule at a path', 'rules at a path')}.`
			: 'Candidates for exceptions at the last reading: none.',
		formatMarkdownTable(
			['Rule', 'Host', 'Path', 'Requests stopped', 'Addresses', 'Countries'],
			candidates.map(({rule, name, host, path, stopped: requests, addresses, countries}) => [
				name === '' ? rule : `${name} (${rule})`,
				host,
				path,
				`${qualifier}${formatInteger(requests)}`,
				addresses === undefined ? 'could not be read' : formatInteger(addresses),
				countries === undefined ? 'could not be read' : formatInteger(countries),
			]),
		),
		formatAddedExceptions(addedExceptions),
	);
}

/** Finds exceptions in the last configuration that the first one did not have. */
function findAddedExceptions(
	first: ManagedConfiguration | undefined,
	last: ManagedConfiguration | undefined,
): readonly ConfiguredRule[] | undefined {
	if (!first || !last) return undefined;
	const serializeSkip = ({action_parameters: parameters, expression}: ConfiguredRule) =>
		JSON.stringify([parameters, expression]);
	const firstSkips = new Set(first.rules.map(serializeSkip));
	return last.rules.filter(rule => rule.action === 'skip' && !firstSkips.has(serializeSkip(rule)));
}

function formatAddedExceptions(addedExceptions: readonly ConfiguredRule[] | undefined): string {
	if (!addedExceptions) return '';
	if (addedExceptions.length === 0) return 'Exceptions added during validation: none.';
	const lines = addedExceptions.map(rule => {
		const skips = parseSkips(rule);
		const skippedText = skips ? formatSkips(skips) : 'managed rules';
		return `${escapeMarkdown(rule.expression)} skips ${escapeMarkdown(skippedText)}${rule.description ? `: ${escapeMarkdown(rule.description)}` : ''}`;
	});
	return `Exceptions added during validation:\n\n${formatMarkdownList(lines)}`;
}

const formatEventTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
