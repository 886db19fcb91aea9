import {Failure} from '../failure.ts';
import {type MigrationState, migrationStates} from './machine.ts';
import type {MigrationZone} from './snapshot.ts';
import type {Seen} from './stage.ts';
import {answersInWords} from './stage-of.ts';

/** Why something cannot be done in a state, and what can: nothing was sent. `seen` tells what a state is that nobody knows. */
export function cannotNow(
	zone: Pick<MigrationZone, 'name'>,
	state: MigrationState,
	what: string,
	seen?: Seen,
): Failure {
	const why = `The zone's state is "${state}": ${migrationStates[state]}.`;
	const message = `${what} cannot be done now for ${zone.name}; nothing was sent.`;
	switch (state) {
		case 'complete':
		case 'finishing':
			return new Failure('already_migrated', message, {
				why,
				next: '`ledge migration status` shows what is in force.',
			});
		case 'blocked':
			return new Failure('not_eligible', message, {
				why,
				next: '`ledge migration check` lists what stands in the way.',
			});
		case 'unknown stage':
			return new Failure('not_eligible', message, {
				why: seen?.stage === 'unknown' ? `${why} ${answersInWords(seen.check, seen.status)}` : why,
				next: 'Look in the dashboard, and ask the support of the service what the state means.',
			});
		case 'unread':
		case 'eligible':
		case 'validating unreviewed':
			return new Failure('unreviewed', message, {
				why,
				next: 'Review a configuration first: `ledge migration plan` shows what it changes.',
			});
		case 'sending validation':
		case 'validation in doubt':
		case 'starting validation':
		case 'sending deploy':
		case 'deploy in doubt':
			return new Failure('job_running', message, {
				why,
				next: '`ledge migration resume` looks for what became of the last PUT.',
			});
		case 'moved on':
			return new Failure('changed_meanwhile', message, {
				why,
				next: '`ledge migration status` shows what is there; take the zone over once you have seen it.',
			});
		case 'validating':
			return new Failure('usage', message, {
				why,
				next: 'Say first that the zone is ready to update: that the previous version may be turned off.',
			});
		case 'not taken':
		case 'reviewed':
		case 'ready to update':
			return new Failure('usage', message, {why, next: '`ledge migration status` shows what comes next.'});
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
