import type {Route} from '../http/route.ts';
import type {AnalyticsSources} from './sources.ts';

/** The path of the analytics API; its queries have their own quota. */
export const analyticsPath = '/graphql';

/** Routes of the analytics API. The code that answers is loaded with the first query: graphql is large. */
export const createAnalyticsRoutes = (sources: AnalyticsSources): readonly Route[] => [
	{
		method: 'POST',
		path: analyticsPath,
		answer: async context => (await import('./answer.ts')).answerQuery(context, sources),
	},
];
