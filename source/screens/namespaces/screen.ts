import {openKeys} from '../keys/actions.ts';
import {createListScreen} from '../list/screen.ts';
import {findJumps, type ScreenDefinition} from '../shell/screen.ts';
import {preloadNamespaces, readNamespaces} from './actions.ts';
import {namespaceList} from './slice.ts';

export const namespacesScreen: ScreenDefinition = createListScreen(namespaceList, {
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
				app.state().navigation.go('namespaces');
				openKeys(app, row);
			},
		),
	loadJumps: preloadNamespaces,
	reload: app => readNamespaces(app, app.state().namespaces.data.shownStorage, true),
});
