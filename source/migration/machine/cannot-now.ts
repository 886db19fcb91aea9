import {Failure} from '../../failure.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import {onwardAdvice, type Standing} from './next-steps.ts';
import {movedOnInWords} from './observation.ts';
import {answersInWords} from './stage-of.ts';
import {hasMovedOn, stateTable} from './states.ts';

/** Why something cannot be done in the state that a zone is in, and what can be done instead: nothing was sent. */
export function cannotNow(zone: Pick<MigrationZone, 'name'>, standing: Standing, what: string): Failure {
	const {state, seen} = standing;
	const {code, means} = stateTable[state];
	const why = `The zone's state is "${state}": ${means}.`;
	const failure = new Failure(code, `${what} cannot be done now for ${zone.name}; nothing was sent.`, {
		why,
		next: onwardAdvice(zone, standing),
	});
	switch (state) {
		case 'unknown stage':
			return failure.with({
				why: seen?.stage === 'unknown' ? `${why} ${answersInWords(seen.check, seen.status)}` : why,
				next: 'Look in the dashboard, and ask the support of the service what the state means.',
			});
		case 'moved on':
			return failure.with({why: `${why} ${movedOnInWords(zone.name, standing)}.`});
		case 'validating':
			return failure.with({
				next: 'First confirm that the zone is ready to update: that the previous version may be turned off.',
			});
		default:
			return failure;
	}
}

/** What keeps a PUT from being sent to a zone, without a point; the next state in words where nothing does. */
export const problemIn = (zone: string, standing: Standing): string => {
	const {problem, means} = stateTable[standing.state];
	if (hasMovedOn(standing.state)) return movedOnInWords(zone, standing);
	return problem?.(zone) ?? `${zone}: ${means}`;
};
