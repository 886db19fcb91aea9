import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {readNamespaces} from './actions.ts';
import {visibleNamespaces} from './slice.ts';

export const namespacesScreen: ScreenDefinition = {
	group: 'Namespaces',
	path: (_before, {namespaces}) => ['ledge', namespaces.where === 'local' ? 'local data' : 'namespaces'],
	actsOn: (_before, {namespaces}) => ({isLocal: namespaces.where === 'local'}),
	reload: app => readNamespaces(app, app.state().namespaces.where),
	move: (state, by) => state.moveInNamespaces(by),
	filter: {
		text: ({namespaces}) => namespaces.filter,
		narrow: (state, text) => state.filterNamespaces(text),
		counts: ({namespaces}) => shownOf(visibleNamespaces(namespaces), namespaces.rows),
	},
};
