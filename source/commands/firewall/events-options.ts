import {isIP} from 'node:net';
import type {EventFilter} from '../../analytics/event-query.ts';
import {actionsCalled, knownActions, knownSources, sourcesCalled} from '../../analytics/event-words.ts';
import {type GroupWord, groupWords} from '../../events/grouped.ts';
import {Failure} from '../../failure.ts';
import {didYouMean} from '../../text/closest-name.ts';
import {pastTime} from '../../text/time-input.ts';
import {
	listOption,
	numberOption,
	type OptionValues,
	offering,
	switchOption,
	valueOption,
} from '../shell/declare.ts';

export const eventsOptions = () => [
	valueOption('--since <time>', 'from then on: 30m, 24h, 7d, or a time such as "2026-11-22 09:14" (24h)'),
	valueOption('--until <time>', 'up to then, written in the same way (now)'),
	listOption('--rule <id>', 'only of this rule'),
	offering(
		listOption('--action <action>', `only with this action: ${knownActions.join(', ')}`),
		knownActions,
	),
	offering(listOption('--source <source>', 'only from this product, see below'), knownSources),
	listOption('--path <path>', 'only requests of exactly this path'),
	listOption('--country <code>', 'only from this country: DE'),
	listOption('--ip <address>', 'only from this address'),
	listOption('--host <name>', 'only requests to this host'),
	listOption('--ray <id>', 'only of this request'),
	offering(listOption('--group-by <words>', `how many there are by ${groupWords.join(', ')}`), {
		parts: groupWords,
	}),
	numberOption('--limit <n>', 'the latest so many events (100), or the most frequent groups (50)', 1),
	switchOption('--follow', 'print events as they appear, until ctrl-c'),
];

export type EventsOptions = OptionValues<typeof eventsOptions>;

/**
 * Builds the filter of the options. `now`: milliseconds since the epoch; `defaultSpan`: default span in
 * milliseconds.
 */
export function eventFilter(options: EventsOptions, now: number, usual: number): EventFilter {
	const since = options.since === undefined ? now - usual : timeOf('--since', options.since, now);
	const until = options.until === undefined ? now : timeOf('--until', options.until, now);
	if (since >= until)
		throw new Failure('usage', 'The time that is asked for ends before it begins.', {
			why: `It is from ${new Date(since).toISOString()} to ${new Date(until).toISOString()}.`,
		});
	const {rule, action, source, path, country, ip, host, ray} = options;
	return {
		since,
		until,
		rules: rule,
		actions: action?.flatMap(actionsCalled),
		sources: source?.flatMap(sourcesCalled),
		paths: path?.map(pathOf),
		countries: country?.map(countryOf),
		addresses: ip?.map(addressOf),
		hosts: host,
		rays: ray?.map(withoutPlace),
	};
}

function timeOf(option: string, text: string, now: number): number {
	const time = pastTime(text, now);
	if (time !== undefined) return time;
	throw new Failure('usage', `${option} takes a span such as 30m, 24h or 7d, or a time.`, {
		why: `This is "${text}".`,
		next: 'Write a time as 2026-11-22 or "2026-11-22 09:14" (UTC).',
	});
}

function countryOf(text: string): string {
	if (/^[a-z][a-z0-9]$/i.test(text)) return text.toUpperCase();
	throw new Failure('usage', '--country takes a code of two characters.', {
		why: `This is "${text}".`,
		next: 'Write DE for Germany, for example.',
	});
}

function pathOf(text: string): string {
	if (text.startsWith('/')) return text;
	throw new Failure('usage', '--path takes a whole path, which begins with "/".', {
		why: `This is "${text}".`,
		next: 'See the paths that have events: --group-by path.',
	});
}

function addressOf(text: string): string {
	if (isIP(text) > 0) return text;
	throw new Failure('usage', '--ip takes one address.', {
		why: `This is "${text}".`,
		next: 'Networks cannot be asked for; give --ip several times for several addresses.',
	});
}

/** Describes actions and sources that ledge does not know, which may be misspelt. */
export function unknownWords({action = [], source = []}: EventsOptions): readonly string[] {
	const warn = (
		option: string,
		words: readonly string[],
		called: typeof actionsCalled,
		known: readonly string[],
	) =>
		words
			.filter(word => !called(word).every(one => known.includes(one)))
			.map(
				word =>
					`${option} "${word}" is not known here. ${didYouMean(word, known)}The words are in \`ledge firewall events --help\`.`,
			);
	return [
		...warn('--action', action, actionsCalled, [...knownActions, 'js_challenge']),
		...warn('--source', source, sourcesCalled, knownSources),
	];
}

/** Removes the location code that pages append to a ray: `8f3d2c1b0a9e8d7c-FRA`. */
const withoutPlace = (ray: string): string => ray.trim().replace(/-[A-Z]{3}$/, '');

/** Parses the words of `--group-by`; empty if not given. */
export function groupsAskedFor({groupBy = [], ray, follow}: EventsOptions): readonly GroupWord[] {
	const words = groupBy.flatMap(text => text.split(',')).map(word => word.trim().toLowerCase());
	const found = [...new Set(words.filter(word => word !== '').map(groupWordOf))];
	if (groupBy.length > 0 && found.length === 0) throw new Failure('usage', '--group-by names nothing.');
	if (found.length > 0 && ray)
		throw new Failure('usage', 'A ray is one request, which is not grouped.', {
			next: 'Leave --ray or --group-by out.',
		});
	if (found.length > 0 && follow)
		throw new Failure('usage', '--follow prints single events, which are not grouped.', {
			next: 'Leave --follow or --group-by out.',
		});
	return found;
}

/** Titles of columns that `--group-by` accepts as well. */
const columnWords: Readonly<Partial<Record<string, GroupWord>>> = {address: 'ip', from: 'country'};

function groupWordOf(word: string): GroupWord {
	const found = groupWords.find(one => one === word) ?? columnWords[word];
	if (found) return found;
	throw new Failure('usage', `Events cannot be grouped by "${word}".`, {
		why: `They can be by: ${groupWords.join(', ')}.`,
		next: `${didYouMean(word, groupWords)}Separate them by commas: --group-by rule,path.`,
	});
}
