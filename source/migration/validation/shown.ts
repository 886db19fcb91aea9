import type {MigrationRecord, Put, RecordedValidation} from '../journal/record.ts';
import {findValidationPut} from '../machine/observation.ts';
import {compareVersions, type VersionComparison} from './comparison.ts';
import type {CountedSpan, EventSpan, VersionEvents} from './events.ts';
import type {FindRuleName} from './places.ts';
import type {ManagedRulesVersion} from './versions.ts';

const hour = 3_600_000;

/** What was read of a validation. */
export type ValidationReading = {
	readonly events: VersionEvents;
	readonly comparison: VersionComparison;
	/** For the journal and the report. */
	readonly shown: RecordedValidation;
};

/** Minimum time to read if it is unknown when validation began, in milliseconds. */
const unknownSpanMs = 24 * hour;

/** True if ledge began the validation, so that its beginning is known. */
export const hasKnownBeginning = ({
	firstValidated,
	put,
}: Pick<MigrationRecord, 'firstValidated' | 'put'>): boolean =>
	firstValidated !== undefined || isValidationStart(put);

/** True if a PUT took the zone from the previous version to validation. */
const isValidationStart = (put: Put | undefined): put is Put =>
	put?.mode === 'validation' &&
	put.before.stage === 'previous' &&
	put.came !== 'refused' &&
	put.came !== 'given up';

/**
 * Returns when validation began, and when it ended or now. If the beginning is unknown, covers at least the
 * last day and the time since validation was first seen.
 */
export function getValidationSpan(record: MigrationRecord, now: number): EventSpan {
	const {validatingSince = now, put, completed, seen} = record;
	const begun = isValidationStart(put)
		? put.at
		: hasKnownBeginning(record)
			? validatingSince
			: now - unknownSpanMs;
	const ended = put?.mode === 'pending' && put.before.stage === 'validation' && put.came !== 'given up';
	const isOver = completed !== undefined || seen?.stage === 'pending' || seen?.stage === 'complete';
	return {
		since: Math.min(begun, validatingSince),
		until: isOver && ended && put.came !== 'refused' ? put.at : Math.min(completed ?? now, now),
	};
}

/** Returns when the configuration in validation was last changed. Undefined if it is the first one. */
export function getLastConfigurationChange(
	record: Pick<MigrationRecord, 'put' | 'state'>,
): number | undefined {
	const put = findValidationPut(record);
	return put?.before.stage === 'validation' ? put.at : undefined;
}

/** Returns the span of events to count: since the last change of the configuration, or all. */
export function getCountedSpan(record: MigrationRecord, now: number, scope: 'changed' | 'all'): CountedSpan {
	const span = getValidationSpan(record, now);
	const changed = scope === 'all' ? undefined : getLastConfigurationChange(record);
	return {...span, begun: span.since, since: Math.max(span.since, changed ?? span.since)};
}

/** Compares events and summarizes them. `changed`: when the configuration was last changed. */
export function summarizeValidation(
	events: VersionEvents,
	findName: FindRuleName,
	changed: number | undefined,
): ValidationReading {
	const comparison = compareVersions(events, findName);
	const {since, until, isSampled, counts, places, candidates} = comparison;
	const sumOnly = (version: ManagedRulesVersion): number =>
		places.filter(place => place.version === version).reduce((sum, place) => sum + place.only, 0);
	return {
		events,
		comparison,
		shown: {
			since,
			until,
			isSampled,
			stopped: {new: counts.new.stopped, previous: counts.previous.stopped},
			only: {new: sumOnly('new'), previous: sumOnly('previous')},
			logged: {new: counts.new.logged, previous: counts.previous.logged},
			candidates: candidates.map(({rule, name, host, path, stopped, addresses, countries}) => ({
				rule,
				name,
				host,
				path,
				stopped,
				...(addresses !== undefined && {addresses}),
				...(countries !== undefined && {countries}),
			})),
			rate: computeBusiestHour(events, changed) ?? computeBusiestHour(events, undefined),
		},
	};
}

/** Returns the busiest full hour of the new rules since the last change. */
function computeBusiestHour(
	{begun: since, until, hours}: VersionEvents,
	changed: number | undefined,
): RecordedValidation['rate'] {
	if (!hours) return undefined;
	const from = Math.max(since, changed ?? since);
	const first = Math.ceil(from / hour) * hour;
	if (first + hour > until) {
		if (changed !== undefined || until <= since) return undefined;
		const all = hours.reduce((sum, {count}) => sum + count, 0);
		return {since, until, mostInHour: Math.ceil((all * hour) / (until - since))};
	}
	const counts = new Map<number, number>();
	for (const {count, dimensions} of hours) {
		const starts = Date.parse(dimensions.datetimeHour ?? '');
		if (starts >= first && starts + hour <= until) counts.set(starts, (counts.get(starts) ?? 0) + count);
	}
	return {since: first, until, mostInHour: Math.max(0, ...counts.values())};
}
