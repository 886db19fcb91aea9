/** How often tests kill a process at a random moment: a few times, and fifty times in `npm run test:full`. */
export const randomKills = Number(process.env.TEST_KILLS ?? 12);
