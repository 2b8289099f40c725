// All operations of the public port by id; a new group adds its lines here and nowhere else.

import { getAccount, listFills, listOrders, listPositions } from './account.ts';
import { createMarket, listTemplates } from './composer.ts';
import { getRequest, getRequestSummary, listRequests } from './developers.ts';
import { listKeys, mintKey, mintSandboxKey, revokeKey } from './keys.ts';
import { getLqfConfig } from './liquidity.ts';
import { getMarket, getOrderBook, listCandles, listMarkets, listTrades } from './markets.ts';
import { batchOrders, cancelAllOrders, heartbeat } from './order-sets.ts';
import { amendOrder, cancelOrder, getOrder, placeOrder } from './orders.ts';
import { convertPosition, getBalance, getPortfolioSummary, listLedger } from './portfolio.ts';
import { resetSandbox, settleWithMockOracle, useFaucet } from './sandbox.ts';
import { changePassword, logIn, logOut, openDemo, register, resumeSession } from './sessions.ts';
import { getHealth, getStatus } from './system.ts';
import { webhookOperations } from './webhooks.ts';

export const operations = Object.freeze({
  getHealth,
  getStatus,
  listMarkets,
  getMarket,
  listCandles,
  getOrderBook,
  listTrades,
  listTemplates,
  createMarket,
  getAccount,
  listPositions,
  listOrders,
  listFills,
  placeOrder,
  getOrder,
  amendOrder,
  cancelOrder,
  batchOrders,
  cancelAllOrders,
  heartbeat,
  mintKey,
  listKeys,
  revokeKey,
  mintSandboxKey,
  useFaucet,
  resetSandbox,
  settleWithMockOracle,
  getLqfConfig,
  getBalance,
  getPortfolioSummary,
  listLedger,
  convertPosition,
  register,
  logIn,
  openDemo,
  resumeSession,
  logOut,
  changePassword,
  listRequests,
  getRequestSummary,
  getRequest,
  ...webhookOperations,
});
