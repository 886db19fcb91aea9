import {type Body, buildFailureRows, type LayoutArea} from '../../rows/body.ts';
import {blankRow} from '../../rows/rows.ts';
import type {MigrationState} from '../state.ts';
import {buildBlockersBody} from './blockers.ts';
import {buildConfirmBody} from './confirm.ts';
import {buildDeployBody, buildProgressRows} from './deploy.ts';
import {buildDoneBody} from './done.ts';
import {buildModeBody, buildRehearsalBody} from './mode.ts';
import {buildEditBody, buildMigrationReviewBody} from './review.ts';
import {buildEligibilityBody, buildZoneBody} from './start.ts';
import {buildWatchBody} from './watch.ts';

/**
 * Builds the current step. While an operation is in progress, its progress replaces the choices below the
 * step, so that only these rows are redrawn. The step `deploy` shows the progress itself.
 */
export function buildMigrationBody(migration: MigrationState, area: LayoutArea): Body {
	const progressRows = migration.step === 'deploy' ? [] : buildProgressRows(migration, area);
	const body = {...buildStepBody(migration, area), ...(progressRows.length > 0 && {tail: progressRows})};
	const failureRows = buildJournalFailureRows(migration, area);
	if (failureRows.length === 0) return body;
	const leadingRows = body.rows.length === 0 ? failureRows : [...failureRows, blankRow];
	const {cursorRows, ...rest} = body;
	return {
		...rest,
		rows: [...leadingRows, ...body.rows],
		...(cursorRows && {
			cursorRows: {from: cursorRows.from + leadingRows.length, to: cursorRows.to + leadingRows.length},
		}),
	};
}

/** Builds the warning that the last observation is not in the journal. */
const buildJournalFailureRows = ({journalFailure, failure}: MigrationState, area: LayoutArea) =>
	buildFailureRows(
		failure
			? undefined
			: journalFailure?.withDetails({left: 'The latest observation is not in the journal.'}),
		area,
	);

function buildStepBody(migration: MigrationState, area: LayoutArea): Body {
	const {step} = migration;
	switch (step) {
		case 'zone':
			return buildZoneBody(migration, area);
		case 'eligibility':
			return buildEligibilityBody(migration, area);
		case 'blockers':
			return buildBlockersBody(migration, area);
		case 'review':
			return buildMigrationReviewBody(migration, area);
		case 'edit':
			return buildEditBody(migration, area);
		case 'path':
			return buildModeBody(migration, area);
		case 'rehearse':
			return buildRehearsalBody(migration, area);
		case 'confirm':
			return buildConfirmBody(migration, area);
		case 'deploy':
			return buildDeployBody(migration, area);
		case 'watch':
			return buildWatchBody(migration, area);
		case 'done':
			return buildDoneBody(migration, area);
		default:
			return step satisfies never;
	}
}
