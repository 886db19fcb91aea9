import {type Body, buildFailureRows, type Place} from '../../rows/body.ts';
import {blankRow} from '../../rows/rows.ts';
import type {MigrationState} from '../state.ts';
import {buildBlockersBody} from './blockers.ts';
import {buildConfirmBody} from './confirm.ts';
import {buildDeployBody, buildProgressRows} from './deploy.ts';
import {buildDoneBody} from './done.ts';
import {buildPathBody, buildRehearsalBody} from './path.ts';
import {buildEditBody, buildMigrationReviewBody} from './review.ts';
import {buildEligibilityBody, buildZoneBody} from './start.ts';
import {buildWatchBody} from './watch.ts';

/**
 * Builds the current step. Work under way replaces the choices below it, so that nothing else is redrawn;
 * only sending is a step itself.
 */
export function buildMigrationBody(migration: MigrationState, place: Place): Body {
	const underWay = migration.step === 'deploy' ? [] : buildProgressRows(migration, place);
	const body = {...buildStepBody(migration, place), ...(underWay.length > 0 && {tail: underWay})};
	const first = buildJournalFailureRows(migration, place);
	if (first.length === 0) return body;
	const above = body.rows.length === 0 ? first : [...first, blankRow];
	const {at, ...rest} = body;
	return {
		...rest,
		rows: [...above, ...body.rows],
		...(at && {at: {from: at.from + above.length, to: at.to + above.length}}),
	};
}

/** Builds the warning that the last observation is not in the journal. */
const buildJournalFailureRows = ({journalFailure, failure}: MigrationState, place: Place) =>
	buildFailureRows(
		failure ? undefined : journalFailure?.withDetails({left: 'What was seen last is not in the journal.'}),
		place,
	);

function buildStepBody(migration: MigrationState, place: Place): Body {
	const {step} = migration;
	switch (step) {
		case 'zone':
			return buildZoneBody(migration, place);
		case 'eligibility':
			return buildEligibilityBody(migration, place);
		case 'blockers':
			return buildBlockersBody(migration, place);
		case 'review':
			return buildMigrationReviewBody(migration, place);
		case 'edit':
			return buildEditBody(migration, place);
		case 'path':
			return buildPathBody(migration, place);
		case 'rehearse':
			return buildRehearsalBody(migration, place);
		case 'confirm':
			return buildConfirmBody(migration, place);
		case 'deploy':
			return buildDeployBody(migration, place);
		case 'watch':
			return buildWatchBody(migration, place);
		case 'done':
			return buildDoneBody(migration, place);
		default:
			return step satisfies never;
	}
}
