import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {readAccounts} from './actions.ts';
import {visiblePlaces} from './rows.ts';

export const contextsScreen: ScreenDefinition = {
	group: 'Contexts',
	called: 'the contexts',
	path: () => ['ledge', 'contexts'],
	actsOn: (_before, {namespaces}) => ({isLocal: namespaces.where === 'local'}),
	reload: readAccounts,
	move: (state, by) => state.moveInContexts(by),
	filter: {
		text: ({contexts}) => contexts.filter,
		narrow: (state, text) => state.filterContexts(text),
		counts: ({contexts}) => shownOf(visiblePlaces(contexts), contexts.rows),
	},
};
