import {type Body, buildFailureRows, type LayoutArea} from '../../rows/body.ts';
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
 * Builds the current step. While an operation is in progress, its progress replaces the choices below the
 * step, so that only these rows are redrawn. The step `deploy` shows the progress itself.
 */
export function buildMigrationBody(migration: MigrationState, place: LayoutArea): Body {
	const progressRows = migration.step === 'deploy' ? [] : buildProgressRows(migration, place);
	const body = {...buildStepBody(migration, place), ...(progressRows.length > 0 && {tail: progressRows})};
	const failureRows = buildJournalFailureRows(migration, place);
	if (failureRows.length === 0) return body;
	const leadingRows = body.rows.length === 0 ? failureRows : [...failureRows, blankRow];
	const {at, ...rest} = body;
	return {
		...rest,
		rows: [...leadingRows, ...body.rows],
		...(at && {at: {from: at.from + leadingRows.length, to: at.to + leadingRows.length}}),
	};
}

/** Builds the warning that the last observation is not in the journal. */
const buildJournalFailureRows = ({journalFailure, failure}: MigrationState, place: LayoutArea) =>
	buildFailureRows(
		failure
			? undefined
			: journalFailure?.withDetails({left: 'The latest observation is not in the journal.'}),
		place,
	);

function buildStepBody(migration: MigrationState, place: LayoutArea): Body {
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
