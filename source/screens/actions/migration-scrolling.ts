import {themeOf} from '../../components/theme.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Action} from '../action.ts';
import {scrollOf, viewOf} from '../migration/view.ts';
import {isAt, partOf} from './migration-part.ts';
import {lineDown, lineUp, pageDown, pageUp, scrollActions, toFirst, toLast} from './scrolling.ts';

const {marks} = themeOf('none', true);

const extent = ({migration, viewport}: LedgeState): {readonly last: number; readonly room: number} =>
	migration ? scrollOf(viewOf(migration, viewport, marks, Date.now())) : {last: 0, room: 1};

const common = {group: 'Migration', where: ['migration menu']} as const;

/** Where nothing has a cursor, the arrows scroll. */
const isText = (state: LedgeState): boolean => partOf(state) === 'review';

const scroll = (state: LedgeState, by: number, last: number) => state.scrollMigration(by, last);
const byPages = scrollActions({...common, id: 'migration'}, extent, scroll);
const byLines = scrollActions({...common, id: 'migration', isHere: isText}, extent, scroll);

const moves = (id: string, keys: Action['keys'], title: string, by: number): Action => ({
	...common,
	id: `migration.${id}`,
	keys,
	title,
	isHere: state => !isText(state) && !isAt('waiting', 'confirm')(state),
	run: ({state}) => state().moveInMigration(by),
});

/** The keys that move in the list of a step, and scroll its text. */
export const migrationScrolling: readonly Action[] = [
	moves('down', ['down', 'j'], 'one row down', 1),
	moves('up', ['up', 'k'], 'one row up', -1),
	byPages('page-down', ['pagedown', 'ctrl-f'], 'one page down', pageDown),
	byPages('page-up', ['pageup', 'ctrl-b'], 'one page up', pageUp),
	byLines('line-down', ['down'], 'one row down', lineDown, 'read'),
	byLines('line-up', ['up', 'k'], 'one row up', lineUp),
	byLines('first', ['g', 'home'], 'to the first row', toFirst),
	byLines('last', ['G', 'end'], 'to the last row', toLast),
];
