import type {EventGroup} from '../../../source/analytics/event-groups.ts';
import type {SecurityEvent} from '../../../source/analytics/events.ts';
import type {VersionEvents} from '../../../source/migration/validation/events.ts';
import {type ManagedRulesVersion, versionSources} from '../../../source/migration/validation/versions.ts';

export const hour = 3_600_000;
export const validationStart = Date.UTC(2026, 10, 20, 12);
export const rule = 'a'.repeat(32);
export const otherRule = 'b'.repeat(32);
export const rulesetId = 'efb7b8c949ac4650a09736fc376e9aee';
export const host = 'one.example';

/** Something that happened to one request. */
export type Happened = {
	readonly version?: ManagedRulesVersion;
	readonly rule?: string;
	readonly action?: string;
	readonly path?: string;
	readonly address?: string;
	readonly country?: string;
	readonly ray?: string;
	readonly at?: number;
};

const whole = (one: Happened, index: number) => ({
	version: one.version ?? ('new' as const),
	rule: one.rule ?? rule,
	action: one.action ?? 'block',
	path: one.path ?? '/import',
	address: one.address ?? '192.0.2.1',
	country: one.country ?? 'DE',
	ray: one.ray ?? `ray ${index}`,
	at: one.at ?? validationStart + hour / 2,
});

type Whole = ReturnType<typeof whole>;

const grouped = (all: readonly Whole[], values: (one: Whole) => EventGroup['dimensions']): EventGroup[] =>
	[...Map.groupBy(all, one => JSON.stringify(values(one)))].map(([key, group]) => ({
		count: group.length,
		dimensions: JSON.parse(key),
		sampleInterval: 1,
	}));

const placeOf = ({path}: Whole) => ({clientRequestHTTPHost: host, clientRequestPath: path});

/** What is read of a validation in which this happened, of three hours. */
export function eventsOf(
	happened: readonly Happened[],
	{before, single = true}: {readonly before?: readonly string[]; readonly single?: boolean} = {},
): VersionEvents {
	const all = happened.map(whole);
	const stopped = all.filter(({action}) => action !== 'log' && action !== 'skip');
	const byNew = stopped.filter(({version}) => version === 'new');
	const ofRule = (one: Whole) => ({
		source: versionSources[one.version],
		ruleId: one.rule,
		rulesetId,
		action: one.action,
	});
	const hourOf = ({at}: Whole) => new Date(Math.floor(at / hour) * hour).toISOString();
	const until = validationStart + 3 * hour;
	return {
		validationStart,
		since: validationStart,
		until,
		isSampled: false,
		byRule: grouped(all, ofRule),
		byPlace: grouped(stopped, one => ({...ofRule(one), ...placeOf(one)})),
		byTime: {
			timeDimension: 'datetimeHour',
			groups: grouped(all, one => ({
				source: versionSources[one.version],
				action: one.action,
				datetimeHour: hourOf(one),
			})),
		},
		byHour: grouped(byNew, one => ({action: one.action, datetimeHour: hourOf(one)})),
		byAddress: grouped(byNew, one => ({ruleId: one.rule, ...placeOf(one), clientIP: one.address})),
		byCountry: grouped(byNew, one => ({ruleId: one.rule, ...placeOf(one), clientCountryName: one.country})),
		stoppingEvents: single ? stopped.map(singleOf) : undefined,
		earlierEvents: before && {
			since: validationStart - 3 * hour,
			until: validationStart,
			byPlace: before.map(path => ({
				count: 1,
				dimensions: {clientRequestHTTPHost: host, clientRequestPath: path},
				sampleInterval: 1,
			})),
		},
	};
}

const singleOf = (one: Whole): SecurityEvent => ({
	at: one.at,
	action: one.action,
	source: versionSources[one.version],
	ruleId: one.rule,
	rulesetId,
	description: undefined,
	ray: one.ray,
	address: one.address,
	country: one.country,
	network: undefined,
	method: 'POST',
	host,
	path: one.path,
	query: undefined,
	agent: undefined,
});

/** So many requests, each from another one of these addresses. */
export const from = (addresses: number, requests: number, more: Happened = {}): Happened[] =>
	Array.from({length: requests}, (_none, index) => ({
		address: `192.0.2.${index % addresses}`,
		country: ['DE', 'NL', 'GB'][index % 3] ?? 'DE',
		ray: `${more.path ?? '/import'} ${more.version ?? 'new'} ${index}`,
		...more,
	}));
