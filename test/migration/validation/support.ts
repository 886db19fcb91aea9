import type {EventGroup} from '../../../source/analytics/event-groups.ts';
import type {SecurityEvent} from '../../../source/analytics/events.ts';
import type {VersionEvents} from '../../../source/migration/validation/events.ts';
import {type ManagedRulesVersion, versionSources} from '../../../source/migration/validation/versions.ts';

export const hour = 3_600_000;
export const validationStart = Date.UTC(2026, 10, 20, 12);
export const sampleRuleId = 'a'.repeat(32);
export const otherRuleId = 'b'.repeat(32);
export const rulesetId = 'efb7b8c949ac4650a09736fc376e9aee';
export const host = 'one.example';

/** An event of one request; see `completeEvent` for the defaults. */
export type SampleEvent = {
	readonly version?: ManagedRulesVersion;
	readonly rule?: string;
	readonly action?: string;
	readonly path?: string;
	readonly address?: string;
	readonly country?: string;
	readonly ray?: string;
	readonly at?: number;
};

const completeEvent = (one: SampleEvent, index: number) => ({
	version: one.version ?? ('new' as const),
	rule: one.rule ?? sampleRuleId,
	action: one.action ?? 'block',
	path: one.path ?? '/import',
	address: one.address ?? '192.0.2.1',
	country: one.country ?? 'DE',
	ray: one.ray ?? `ray ${index}`,
	at: one.at ?? validationStart + hour / 2,
});

type CompleteEvent = ReturnType<typeof completeEvent>;

const groupEvents = (
	all: readonly CompleteEvent[],
	getDimensions: (one: CompleteEvent) => EventGroup['dimensions'],
): EventGroup[] =>
	[...Map.groupBy(all, one => JSON.stringify(getDimensions(one)))].map(([key, group]) => ({
		count: group.length,
		dimensions: JSON.parse(key),
		sampleInterval: 1,
	}));

const getPlaceDimensions = ({path}: CompleteEvent) => ({
	clientRequestHTTPHost: host,
	clientRequestPath: path,
});

/**
 * The events of a validation of three hours. `before`: the paths of requests stopped before it. `single`:
 * whether the events could also be read one by one.
 */
export function createVersionEvents(
	sampleEvents: readonly SampleEvent[],
	{before, single = true}: {readonly before?: readonly string[]; readonly single?: boolean} = {},
): VersionEvents {
	const all = sampleEvents.map(completeEvent);
	const stopped = all.filter(({action}) => action !== 'log' && action !== 'skip');
	const stoppedByNew = stopped.filter(({version}) => version === 'new');
	const getRuleDimensions = (one: CompleteEvent) => ({
		source: versionSources[one.version],
		ruleId: one.rule,
		rulesetId,
		action: one.action,
	});
	const getHourStart = ({at}: CompleteEvent) => new Date(Math.floor(at / hour) * hour).toISOString();
	const until = validationStart + 3 * hour;
	return {
		validationStart,
		since: validationStart,
		until,
		isSampled: false,
		byRule: groupEvents(all, getRuleDimensions),
		byPlace: groupEvents(stopped, one => ({...getRuleDimensions(one), ...getPlaceDimensions(one)})),
		byTime: {
			timeDimension: 'datetimeHour',
			groups: groupEvents(all, one => ({
				source: versionSources[one.version],
				action: one.action,
				datetimeHour: getHourStart(one),
			})),
		},
		byHour: groupEvents(stoppedByNew, one => ({action: one.action, datetimeHour: getHourStart(one)})),
		byAddress: groupEvents(stoppedByNew, one => ({
			ruleId: one.rule,
			...getPlaceDimensions(one),
			clientIP: one.address,
		})),
		byCountry: groupEvents(stoppedByNew, one => ({
			ruleId: one.rule,
			...getPlaceDimensions(one),
			clientCountryName: one.country,
		})),
		stoppingEvents: single ? stopped.map(toSecurityEvent) : undefined,
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

const toSecurityEvent = (one: CompleteEvent): SecurityEvent => ({
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

/** Events of `requestCount` requests, which come from `addressCount` addresses in turn. */
export const repeatEvent = (
	addressCount: number,
	requestCount: number,
	more: SampleEvent = {},
): SampleEvent[] =>
	Array.from({length: requestCount}, (_none, index) => ({
		address: `192.0.2.${index % addressCount}`,
		country: ['DE', 'NL', 'GB'][index % 3] ?? 'DE',
		ray: `${more.path ?? '/import'} ${more.version ?? 'new'} ${index}`,
		...more,
	}));
