import {openKeys} from '../keys/actions.ts';
import {createListScreen, type ListScreenDefinition} from '../list/screen.ts';
import {findJumps} from '../shell/screen.ts';
import {goToNamespaces, preloadNamespaces, readNamespaces} from './actions.ts';
import {createNamespacesSlice, namespaceList} from './slice.ts';

export const namespacesScreen: ListScreenDefinition = createListScreen(namespaceList, {
	createSlice: createNamespacesSlice,
	buildPath: (_before, {namespaces: {data: namespaces}}) => [
		'ledge',
		namespaces.shownStorage === 'local' ? 'local data' : 'namespaces',
	],
	getTarget: (_before, {namespaces: {data: namespaces}}) => ({isLocal: namespaces.shownStorage === 'local'}),
	listJumps: ({namespaces: {data: namespaces}}, searchText) =>
		findJumps(
			'namespace',
			namespaces.rows.filter(({id}) => id !== undefined),
			({title}) => title,
			searchText,
			(app, row) => {
				app.state().work.cancelReads();
				goToNamespaces(app);
				openKeys(app, row);
			},
		),
	loadJumps: preloadNamespaces,
	reload: app => readNamespaces(app, app.state().namespaces.data.shownStorage, true),
});
