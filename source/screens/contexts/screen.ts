import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {readAccounts} from './actions.ts';
import {visiblePlaces} from './rows.ts';

export const contextsScreen: ScreenDefinition = {
	group: 'Contexts',
	called: 'the contexts',
	path: () => ['ledge', 'contexts'],
	actsOn: (_before, {namespaces: {data: namespaces}}) => ({isLocal: namespaces.where === 'local'}),
	reload: readAccounts,
	move: (state, by) => state.contexts.move(by),
	filter: {
		text: ({contexts: {data: contexts}}) => contexts.filter,
		narrow: (state, text) => state.contexts.filter(text),
		counts: ({contexts: {data: contexts}}) => shownOf(visiblePlaces(contexts), contexts.rows),
	},
};
