/** Whether this is `npm run test:full`, which tries everything; `npm test` tries a part of what is tried many times. */
export const isFull = process.env.TEST_KILLS !== undefined;
