import type {Route} from '../http/route.ts';
import type {Sources} from './sources.ts';

/** The endpoint of numbers and events. Its queries have a quota of their own. */
export const analyticsPath = '/graphql';

/** Numbers and events. What answers is loaded with the first query: the language of queries is large. */
export const analyticsRoutes = (sources: Sources): readonly Route[] => [
	{
		method: 'POST',
		path: analyticsPath,
		answer: async ask => (await import('./answer.ts')).answerQuery(ask, sources),
	},
];
