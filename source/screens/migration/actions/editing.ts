import {editingActions} from '../../managed-edit/actions.ts';
import type {Action} from '../../shell/app.ts';
import {isEdited} from '../editing.ts';
import {isAt} from './part.ts';

const common = {group: 'Migration', where: ['migration menu']} as const;

/** The keys of what a person changes of the proposal. */
export const migrationEditing: readonly Action[] = [
	...editingActions({...common, id: 'migration', isHere: isAt('edit')}),
	{
		...common,
		id: 'migration.undo',
		keys: ['u'],
		title: 'take the last edit back; without one, take what the service proposes',
		hint: 'undo',
		isHere: isAt('edit', 'review'),
		unavailable: ({migration: {data: migration}}) =>
			migration && isEdited(migration) ? undefined : 'nothing was edited',
		run: ({state}) => state().migration.undoEdit(),
	},
	{
		...common,
		id: 'migration.editor',
		keys: ['E'],
		title: 'change the raw JSON in $EDITOR',
		isHere: isAt('edit', 'review'),
		unavailable: ({migration: {data: migration}}) =>
			migration?.configuration ? undefined : 'there is no configuration',
		run: ({state, terminal}) => void state().migration.editElsewhere(terminal.handOver),
	},
];
