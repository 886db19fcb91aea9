import {describeEdit} from '../../../migration/configuration/edit-names.ts';
import {counted} from '../../../text/figures.ts';
import {editorBody} from '../../managed-edit/rows.ts';
import {type Body, beside, failureRows, type Place} from '../../rows/body.ts';
import {type Row, said, spaced} from '../../rows/rows.ts';
import {type MigrationState, whyHeld} from '../state.ts';
import {changedRows, othersRows} from './review.ts';

/** The editor of the configuration, with how far it differs from what the service proposes. */
export function editBody(migration: MigrationState, place: Place): Body {
	const {configuration, failure, snapshot} = migration;
	const head = spaced(failureRows(whyHeld(migration), place), failureRows(failure, place));
	if (!configuration)
		return {rows: spaced(head, said('The configuration was not read yet.', place.columns, 'dim')), tail: []};
	return editorBody(
		{
			...migration,
			configuration,
			managed: snapshot?.managed,
			aboutLevel:
				'; the documentation of the platform contradicts itself about the level that the migration sets',
			head,
			summary: summaryRows(migration, beside(place)),
			differences: [...othersRows(migration, beside(place)), ...changedRows(migration, beside(place))],
		},
		place,
	);
}

/** How many differences there are to what the service proposes, and what was done last. */
function summaryRows({plan, edits, record, snapshot}: MigrationState, {columns}: Place): Row[] {
	const isThere = record.seen?.stage === 'validation';
	const last = edits.at(-1);
	const count = plan?.edits.length ?? 0;
	return said(
		`${count === 0 ? (isThere ? 'As it is now' : 'As the service proposes it') : `${counted(count, 'difference')} to ${isThere ? 'the current configuration' : 'the proposal'}`}${last ? `; last: ${last.edit === 'by hand' ? 'edited by hand' : describeEdit(last.edit, last.before, snapshot?.managed)}` : ''}`,
		columns,
		count === 0 ? 'dim' : 'plain',
	);
}
