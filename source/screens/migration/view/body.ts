import {type Body, failureRows, type Place} from '../../rows/body.ts';
import {blank} from '../../rows/rows.ts';
import type {MigrationState} from '../state.ts';
import {blockersBody} from './blockers.ts';
import {confirmBody} from './confirm.ts';
import {deployBody, underWayRows} from './deploy.ts';
import {doneBody} from './done.ts';
import {pathBody, rehearseBody} from './path.ts';
import {editBody, reviewBody} from './review.ts';
import {eligibilityBody, zoneBody} from './start.ts';
import {watchBody} from './watch.ts';

/**
 * Builds the current step. Work under way replaces the choices below it, so that nothing else is redrawn;
 * only sending is a step itself.
 */
export function bodyOf(migration: MigrationState, place: Place): Body {
	const underWay = migration.step === 'deploy' ? [] : underWayRows(migration, place);
	const body = {...stepBody(migration, place), ...(underWay.length > 0 && {tail: underWay})};
	const first = unkeptRows(migration, place);
	if (first.length === 0) return body;
	const above = body.rows.length === 0 ? first : [...first, blank];
	const {at, ...rest} = body;
	return {
		...rest,
		rows: [...above, ...body.rows],
		...(at && {at: {from: at.from + above.length, to: at.to + above.length}}),
	};
}

/** Builds the warning that the last observation is not in the journal. */
const unkeptRows = ({unkept, failure}: MigrationState, place: Place) =>
	failureRows(failure ? undefined : unkept?.with({left: 'What was seen last is not in the journal.'}), place);

function stepBody(migration: MigrationState, place: Place): Body {
	const {step} = migration;
	switch (step) {
		case 'zone':
			return zoneBody(migration, place);
		case 'eligibility':
			return eligibilityBody(migration, place);
		case 'blockers':
			return blockersBody(migration, place);
		case 'review':
			return reviewBody(migration, place);
		case 'edit':
			return editBody(migration, place);
		case 'path':
			return pathBody(migration, place);
		case 'rehearse':
			return rehearseBody(migration, place);
		case 'confirm':
			return confirmBody(migration, place);
		case 'deploy':
			return deployBody(migration, place);
		case 'watch':
			return watchBody(migration, place);
		case 'done':
			return doneBody(migration, place);
		default:
			return step satisfies never;
	}
}
