import {Failure, type FailureCode} from '../../failure.ts';
import type {MigrationZone} from '../zone/snapshot.ts';
import {onwardAdvice, type Standing} from './next-steps.ts';
import {movedOnInWords} from './observation.ts';
import {answersInWords} from './stage-of.ts';
import {type MigrationState, migrationStates} from './states.ts';

/** The code of a failure that a state is the reason of: the same wherever it is told (specification, "Exit codes"). */
export const stateCodes = {
	complete: 'already_migrated',
	finishing: 'already_migrated',
	blocked: 'not_eligible',
	'unknown stage': 'not_eligible',
	unread: 'unreviewed',
	eligible: 'unreviewed',
	'validating unreviewed': 'unreviewed',
	'sending validation': 'job_running',
	'validation in doubt': 'job_running',
	'starting validation': 'job_running',
	'sending deploy': 'job_running',
	'deploy in doubt': 'job_running',
	'moved on': 'changed_meanwhile',
	validating: 'usage',
	'not taken': 'usage',
	reviewed: 'usage',
	'ready to update': 'usage',
} as const satisfies Readonly<Record<MigrationState, FailureCode>>;

/** Why something cannot be done where a zone stands, and what can: nothing was sent. */
export function cannotNow(zone: Pick<MigrationZone, 'name'>, standing: Standing, what: string): Failure {
	const {state, seen} = standing;
	const why = `The zone's state is "${state}": ${migrationStates[state]}.`;
	const failure = new Failure(
		stateCodes[state],
		`${what} cannot be done now for ${zone.name}; nothing was sent.`,
		{
			why,
			next: onwardAdvice(zone, standing),
		},
	);
	switch (state) {
		case 'unknown stage':
			return failure.with({
				why: seen?.stage === 'unknown' ? `${why} ${answersInWords(seen.check, seen.status)}` : why,
				next: 'Look in the dashboard, and ask the support of the service what the state means.',
			});
		case 'moved on':
			return failure.with({why: `${why} ${movedOnInWords(zone.name, standing)}`});
		case 'validating':
			return failure.with({
				next: 'Say first that the zone is ready to update: that the previous version may be turned off.',
			});
		default:
			return failure;
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
