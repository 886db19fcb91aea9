import type {MigrationRecord, RecordedPut, RecordedValidation} from '../journal/record.ts';
import {getLastConfigurationChange} from '../machine/observation.ts';
import {compareVersions, type VersionComparison} from './comparison.ts';
import type {CountedSpan, EventSpan, VersionEvents} from './events.ts';
import type {FindManagedRule} from './places.ts';
import type {ManagedRulesVersion} from './versions.ts';

const hourMs = 3_600_000;

/** The events of a validation, and their comparison. */
export type ValidationReading = {
	readonly events: VersionEvents;
	readonly comparison: VersionComparison;
	/** For the journal and the report. */
	readonly summary: RecordedValidation;
};

/** Minimum duration to read if it is unknown when validation began, in milliseconds. */
const unknownSpanMs = 24 * hourMs;

/** True if ledge began the validation, so that its beginning is known. */
export const hasKnownBeginning = ({
	firstValidated,
	put,
}: Pick<MigrationRecord, 'firstValidated' | 'put'>): boolean =>
	firstValidated !== undefined || isValidationStart(put);

/** True if a PUT took the zone from the previous version to validation. */
const isValidationStart = (put: RecordedPut | undefined): put is RecordedPut =>
	put?.mode === 'validation' &&
	put.before.stage === 'previous' &&
	put.came !== 'refused' &&
	put.came !== 'given up';

/**
 * Returns the time span from the start of validation to its end, or to now. If the start is unknown, the span
 * covers at least the last day and the time since validation was first seen.
 */
export function getValidationSpan(record: MigrationRecord, now: number): EventSpan {
	const {validatingSince = now, put, completed, seen} = record;
	const validationStart = isValidationStart(put)
		? put.at
		: hasKnownBeginning(record)
			? validatingSince
			: now - unknownSpanMs;
	const isFinalPut = put?.mode === 'pending' && put.before.stage === 'validation' && put.came !== 'given up';
	const isOver = completed !== undefined || seen?.stage === 'pending' || seen?.stage === 'complete';
	return {
		since: Math.min(validationStart, validatingSince),
		until: isOver && isFinalPut && put.came !== 'refused' ? put.at : Math.min(completed ?? now, now),
	};
}

/** Returns the counted time span: since the last change of the configuration, or all of validation. */
export function getCountedSpan(record: MigrationRecord, now: number, scope: 'changed' | 'all'): CountedSpan {
	const span = getValidationSpan(record, now);
	const lastChange = scope === 'all' ? undefined : getLastConfigurationChange(record);
	return {...span, validationStart: span.since, since: Math.max(span.since, lastChange ?? span.since)};
}

/** Compares events and summarizes them. `lastChange`: when the configuration was last changed. */
export function summarizeValidation(
	events: VersionEvents,
	findRule: FindManagedRule,
	lastChange: number | undefined,
): ValidationReading {
	const comparison = compareVersions(events, findRule);
	const {since, until, isSampled, counts, places, candidates} = comparison;
	const sumStoppedAlone = (version: ManagedRulesVersion): number =>
		places.filter(place => place.version === version).reduce((sum, place) => sum + place.stoppedAlone, 0);
	return {
		events,
		comparison,
		summary: {
			since,
			until,
			isSampled,
			stopped: {new: counts.new.stopped, previous: counts.previous.stopped},
			only: {new: sumStoppedAlone('new'), previous: sumStoppedAlone('previous')},
			logged: {new: counts.new.logged, previous: counts.previous.logged},
			candidates: candidates.map(({ruleId, name, host, path, stopped, addresses, countries}) => ({
				rule: ruleId,
				name,
				host,
				path,
				stopped,
				...(addresses !== undefined && {addresses}),
				...(countries !== undefined && {countries}),
			})),
			rate: computeBusiestHour(events, lastChange) ?? computeBusiestHour(events, undefined),
		},
	};
}

/**
 * Returns the highest number of requests that the new rules stopped in a full hour since `lastChange`, or
 * since validation began. Without a full hour since then: undefined if `lastChange` is given, otherwise all
 * of validation extrapolated to an hour.
 */
function computeBusiestHour(
	{validationStart, until, byHour}: VersionEvents,
	lastChange: number | undefined,
): RecordedValidation['rate'] {
	if (!byHour) return undefined;
	const start = Math.max(validationStart, lastChange ?? validationStart);
	const firstHour = Math.ceil(start / hourMs) * hourMs;
	if (firstHour + hourMs > until) {
		if (lastChange !== undefined || until <= validationStart) return undefined;
		const total = byHour.reduce((sum, {count}) => sum + count, 0);
		return {
			since: validationStart,
			until,
			mostInHour: Math.ceil((total * hourMs) / (until - validationStart)),
		};
	}
	const counts = new Map<number, number>();
	for (const {count, dimensions} of byHour) {
		const hourStart = Date.parse(dimensions.datetimeHour ?? '');
		if (hourStart >= firstHour && hourStart + hourMs <= until)
			counts.set(hourStart, (counts.get(hourStart) ?? 0) + count);
	}
	return {since: firstHour, until, mostInHour: Math.max(0, ...counts.values())};
}
