import {buildExceptionRule} from '../configuration/exceptions.ts';
import {buildCandidateException} from './candidates.ts';
import type {VersionComparison} from './comparison.ts';
import type {EventPlace} from './places.ts';
import type {Rise} from './rise.ts';

const toIsoTime = (at: number): string => new Date(at).toISOString();

/** Converts a comparison to the JSON of `--json`. */
export function toComparisonJson(comparison: VersionComparison) {
	const {validationStart, since, until, isSampled, counts, method, rules, places, candidates, earlierSpan} =
		comparison;
	return {
		begun: toIsoTime(validationStart),
		since: toIsoTime(since),
		until: toIsoTime(until),
		estimated: isSampled,
		before: earlierSpan ? {since: toIsoTime(earlierSpan.since), until: toIsoTime(earlierSpan.until)} : null,
		versions: counts,
		comparedBy: method ?? null,
		rules: rules.map(({version, ruleId, name, actions, stopped, logged, skipped}) => ({
			version,
			rule: ruleId,
			name,
			stopped,
			logged,
			skipped,
			actions: Object.fromEntries(actions.map(({action, events}) => [action, events])),
		})),
		onlyNew: places.filter(({version}) => version === 'new').map(toPlaceJson),
		onlyPrevious: places.filter(({version}) => version === 'previous').map(toPlaceJson),
		candidates: candidates.map(candidate => {
			const {addresses, sharedAddresses, maxPerAddress, countries} = candidate;
			const exception = buildCandidateException(candidate);
			return {
				...toPlaceJson(candidate),
				addresses: addresses ?? null,
				addressesStoppedByOtherRules: sharedAddresses ?? null,
				mostFromOneAddress: maxPerAddress ?? null,
				countries: countries ?? null,
				exception: exception ? buildExceptionRule(exception) : null,
			};
		}),
	};
}

const toPlaceJson = ({
	ruleId,
	name,
	rulesetId,
	host,
	path,
	stopped,
	stoppedAlone,
	stoppedByOtherVersion,
	stoppedBefore,
}: EventPlace) => ({
	rule: ruleId,
	name,
	ruleset: rulesetId ?? null,
	host,
	path,
	stopped,
	stoppedByThisVersionAlone: stoppedAlone,
	stoppedThereByOtherVersion: stoppedByOtherVersion,
	stoppedThereBefore: stoppedBefore ?? null,
});

/** Converts a rise to the JSON of `--json`. */
export const toRiseJson = ({stopped, expectedMax, currentSpan, validationSpan, isSampled}: Rise) => ({
	stopped,
	expectedAtMost: expectedMax,
	estimated: isSampled,
	since: toIsoTime(currentSpan.since),
	until: toIsoTime(currentSpan.until),
	validation: {since: toIsoTime(validationSpan.since), until: toIsoTime(validationSpan.until)},
});
