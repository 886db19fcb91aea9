import {trashLimits} from '../../kv/trash/limits.ts';
import {canAsk} from '../../terminal/prompt.ts';
import {grouped} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {switchOption} from '../shell/declare.ts';

/** `--trash` and `--no-trash`; undefined if neither was given. */
export type TrashOptions = {trash?: boolean};

/** For commands that delete or overwrite a single key. */
export const keyTrashOptions = () => [
	switchOption(
		'--trash',
		`keep the previous value in the trash for ${trashLimits.days} days (the default on a terminal)`,
	),
	switchOption('--no-trash', 'do not keep the previous value; saves reading it'),
];

/** For commands that delete many keys. */
export const deletionTrashOptions = () => [
	switchOption('--trash', `keep the keys in the trash, even more than ${grouped(trashLimits.keys)}`),
	switchOption('--no-trash', 'do not keep them: the deletion cannot be undone'),
];

/** For commands that overwrite many keys. */
export const overwriteTrashOption = () =>
	switchOption('--trash', 'keep overwritten values in the trash; reads every key once');

/** True if a single key goes to the trash: in scripts only on request, because it costs a read. */
export const keepsKey = ({host}: CommandContext, {trash}: TrashOptions): boolean => trash ?? canAsk(host);
