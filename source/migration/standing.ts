import {Failure} from '../failure.ts';
import {type MigrationState, migrationStates} from './machine.ts';
import {movedOnInWords} from './observation.ts';
import {onwardAdvice, type Standing} from './onward.ts';
import type {MigrationZone} from './snapshot.ts';
import {answersInWords} from './stage-of.ts';

/** Why something cannot be done where a zone stands, and what can: nothing was sent. */
export function cannotNow(zone: Pick<MigrationZone, 'name'>, standing: Standing, what: string): Failure {
	const {state, seen} = standing;
	const why = `The zone's state is "${state}": ${migrationStates[state]}.`;
	const message = `${what} cannot be done now for ${zone.name}; nothing was sent.`;
	const next = onwardAdvice(zone, standing);
	switch (state) {
		case 'complete':
		case 'finishing':
			return new Failure('already_migrated', message, {why, next});
		case 'blocked':
			return new Failure('not_eligible', message, {why, next});
		case 'unknown stage':
			return new Failure('not_eligible', message, {
				why: seen?.stage === 'unknown' ? `${why} ${answersInWords(seen.check, seen.status)}` : why,
				next: 'Look in the dashboard, and ask the support of the service what the state means.',
			});
		case 'unread':
		case 'eligible':
		case 'validating unreviewed':
			return new Failure('unreviewed', message, {why, next});
		case 'sending validation':
		case 'validation in doubt':
		case 'starting validation':
		case 'sending deploy':
		case 'deploy in doubt':
			return new Failure('job_running', message, {why, next});
		case 'moved on':
			return new Failure('changed_meanwhile', message, {
				why: `${why} ${movedOnInWords(zone.name, standing)}`,
				next,
			});
		case 'validating':
			return new Failure('usage', message, {
				why,
				next: 'Say first that the zone is ready to update: that the previous version may be turned off.',
			});
		case 'not taken':
		case 'reviewed':
		case 'ready to update':
			return new Failure('usage', message, {why, next});
		default:
			return state satisfies never;
	}
}

/** Whether nothing goes on by itself in a state: a person has the next word. */
export const isStanding = (state: MigrationState): boolean => {
	switch (state) {
		case 'sending validation':
		case 'validation in doubt':
		case 'starting validation':
		case 'sending deploy':
		case 'deploy in doubt':
		case 'finishing':
			return false;
		default:
			return true;
	}
};
