import {createListScreen, type ListScreenDefinition} from '../list/screen.ts';
import {buildItemRows} from './rows.ts';
import {createLeftBehindSlice, leftBehindList, readLeftBehind} from './slice.ts';

export const leftBehindScreen: ListScreenDefinition = createListScreen(leftBehindList, {
	label: 'what was left behind',
	createSlice: createLeftBehindSlice,
	buildPath: parentPath => [...parentPath, 'left behind'],
	reload: readLeftBehind,
	buildDetailOfState: (state, columns) => buildItemRows(state, columns, {warning: '!', done: '*'}),
});
